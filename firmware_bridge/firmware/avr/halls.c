/* Linear halls (DRV5055, SS49E) behind four multiplexers of 16 (74HC4067): heads pull the voltage up from the middle,
 * tails down.
 *
 * Every tick reads four addresses of all multiplexers, so that four ticks read the board. A conversion takes 13 clocks
 * of the converter, here of 500 kHz: 26 us (ATmega328P data sheet, 23.4); that clock is too fast for ten bits and good
 * for eight, which is more than is asked.
 */
#include "sensors.h"

#if KIND == POLARITY

#include <avr/io.h>
#include <util/delay.h>

enum {
    MULTIPLEXERS = 4,
    ADDRESSES = 16,
    AT_ONCE = 4,
    FIRST_SELECT = 2,
    SWITCH_US = 2,
    REST = 128, /* in 256ths of VCC, like all below */
    NEAR = 15,  /* so far from rest, a disc is there */
    GONE = 10,  /* so near to rest, it is gone */
};

static uint8_t found[LINES];
static uint8_t address;

void sensors_setup(void)
{
    DDRD |= (ADDRESSES - 1) << FIRST_SELECT;
    DIDR0 = (1 << MULTIPLEXERS) - 1;
    ADCSRA = _BV(ADEN) | _BV(ADPS2) | _BV(ADPS0);
}

static uint8_t converted(uint8_t channel)
{
    ADMUX = _BV(REFS0) | _BV(ADLAR) | channel; /* against AVCC; the upper eight bits into ADCH */
    ADCSRA |= _BV(ADSC);
    while (ADCSRA & _BV(ADSC))
        ;
    return ADCH;
}

static void judge(uint8_t *line, uint8_t bit, int16_t strength)
{
    if (strength >= NEAR)
        *line |= bit;
    else if (strength <= GONE)
        *line &= ~bit;
}

static void read_cell(uint8_t multiplexer)
{
    uint8_t row = multiplexer * 2 + address / COLUMNS;
    uint8_t bit = 1 << address % COLUMNS;
    int16_t strength = (int16_t)converted(multiplexer) - REST;
    judge(&found[row], bit, strength);
    judge(&found[ROWS + row], bit, -strength);
}

static void read_address(void)
{
    PORTD = (PORTD & ~((ADDRESSES - 1) << FIRST_SELECT)) | address << FIRST_SELECT;
    _delay_us(SWITCH_US);
    for (uint8_t multiplexer = 0; multiplexer < MULTIPLEXERS; multiplexer++)
        read_cell(multiplexer);
    address = (address + 1) % ADDRESSES;
}

bool sensors_read(uint8_t read[LINES])
{
    for (uint8_t i = 0; i < AT_ONCE; i++)
        read_address();
    if (address)
        return false;
    for (uint8_t line = 0; line < LINES; line++)
        read[line] = found[line];
    return true;
}

#endif
