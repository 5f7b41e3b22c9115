/* Cells that bounce: a change counts when it has been read for long enough. */
#ifndef DEBOUNCE_H
#define DEBOUNCE_H

#include "board.h"

#include <stdbool.h>

/* The cells as they count now, a bit each: row by row, the lowest bit the first column; heads, then tails. */
extern uint8_t cells[LINES];

/* Takes what was read now. `passed`: ticks since the last reading; `hold`: readings that have to agree, at one a tick.
 * True when a cell has changed. */
bool debounce(const uint8_t read[LINES], uint8_t passed, uint8_t hold);

#endif
