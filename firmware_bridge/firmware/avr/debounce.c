/* Debouncing, every cell by itself: for how many ticks each has been read other than it counts. */
#include "debounce.h"

uint8_t cells[LINES];
static uint8_t doubts[LINES][COLUMNS];
static bool doubtful[LINES]; /* some cell of that line is in doubt: the others need no look */

static bool convinced(uint8_t *doubt, uint8_t passed, uint8_t hold)
{
    uint8_t sum = *doubt ? *doubt + passed : 1; /* the first reading proves nothing of the time before it */
    *doubt = sum < *doubt ? 255 : sum;
    return *doubt >= hold;
}

static bool debounce_line(uint8_t line, uint8_t differs, uint8_t passed, uint8_t hold)
{
    bool changed = false;
    doubtful[line] = differs;
    for (uint8_t column = 0, bit = 1; column < COLUMNS; column++, bit <<= 1) {
        uint8_t *doubt = &doubts[line][column];
        if (!(differs & bit))
            *doubt = 0;
        else if (convinced(doubt, passed, hold)) {
            *doubt = 0;
            cells[line] ^= bit;
            changed = true;
        }
    }
    return changed;
}

bool debounce(const uint8_t read[LINES], uint8_t passed, uint8_t hold)
{
    bool changed = false;
    for (uint8_t line = 0; line < LINES; line++) {
        uint8_t differs = read[line] ^ cells[line];
        if (differs || doubtful[line])
            changed |= debounce_line(line, differs, passed, hold);
    }
    return changed;
}
