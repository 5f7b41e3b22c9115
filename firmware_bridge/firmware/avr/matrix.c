/* A matrix of switches or buttons, with diodes or without.
 *
 * Rows are open drain: pulled low one after another, otherwise left alone, never driven high. Two switches of one
 * column would short a high row to a low one. Columns hang on the pull-ups of the pins.
 *
 * A column that the row before held low rises through its pull-up, 20 to 50 kOhm (ATmega328P data sheet, 28.2), against
 * the capacity of the line, and reads high from 0.6 VCC on: after 0.92 RC. SETTLE_US of 20 bears 430 pF at 50 kOhm,
 * some metres of cable.
 */
#include "sensors.h"

#if KIND != POLARITY

#include <avr/io.h>
#include <util/delay.h>

enum { ROWS_OF_D = 6, FIRST_OF_D = 2, COLUMNS_OF_C = 0x3F, ROWS_OF_B = 0x03, COLUMNS_OF_B = 0x0C };

void sensors_setup(void)
{
    PORTC |= COLUMNS_OF_C;
    PORTB |= COLUMNS_OF_B;
}

static void choose(uint8_t row)
{
    if (row < ROWS_OF_D)
        DDRD |= _BV(row + FIRST_OF_D);
    else
        DDRB |= _BV(row - ROWS_OF_D);
}

static void leave_alone(void)
{
    DDRD &= ~(0x3F << FIRST_OF_D);
    DDRB &= ~ROWS_OF_B;
}

static uint8_t closed(void)
{
    return ~((PINC & COLUMNS_OF_C) | (PINB & COLUMNS_OF_B) << 4);
}

bool sensors_read(uint8_t read[LINES])
{
    for (uint8_t row = 0; row < ROWS; row++) {
        choose(row);
        _delay_us(SETTLE_US);
        read[row] = closed();
        leave_alone();
    }
    return true;
}

#endif
