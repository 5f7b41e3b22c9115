/* WS2812 on PB4: green, red, blue, the highest bit first; a bit is a pulse, and its length says which.
 *
 * Both generations of the part agree on 250 to 380 ns for a 0 and 650 to 950 ns for a 1 (WS2812B data sheet:
 * T0H 0.40, T1H 0.80, each +-0.15 us; WS2812B-V5: T0H 220 to 380 ns, T1H 580 ns to 1 us). At 16 MHz: 5 and 12 clocks,
 * 312 and 750 ns, and 20 clocks, 1.25 us, from bit to bit. A longer low between bits does no harm as long as it is far
 * below the reset time, 50 us in the first generation and 280 us in the later one.
 */
#include "board.h"
#include "clock.h"
#include "pixels.h"
#include "uart.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/delay.h>

#if F_CPU != 16000000UL
#error "The bits of the pixels are counted in clocks of 16 MHz."
#endif

enum { DATA = PB4, RESET_US = 300 };

static uint8_t strip[PIXELS * 3]; /* as the strip wants it */
static uint8_t cap = 255;

void pixels_setup(void)
{
    PORTB &= ~_BV(DATA);
    DDRB |= _BV(DATA);
}

void pixels_cap(uint8_t highest)
{
    cap = highest;
}

static uint8_t capped(uint8_t value)
{
    return value < cap ? value : cap;
}

void pixels_set(uint8_t pixel, uint8_t red, uint8_t green, uint8_t blue)
{
    uint8_t *at = strip + pixel * 3;
    at[0] = capped(green);
    at[1] = capped(red);
    at[2] = capped(blue);
}

/* One byte; the numbers are clocks since the pulse began. Interrupts have to be off. */
static inline __attribute__((always_inline)) void write_byte(uint8_t byte, uint8_t high, uint8_t low)
{
    uint8_t bits = 8;
    __asm__ volatile("1: out %[port], %[high]\n\t"  /*  0  the pulse begins */
                     "   rjmp .+0\n\t"              /*  1 */
                     "   nop\n\t"                   /*  3 */
                     "   sbrs %[byte], 7\n\t"       /*  4 */
                     "   out %[port], %[low]\n\t"   /*  5  and ends, for a 0 */
                     "   lsl %[byte]\n\t"           /*  6 */
                     "   rjmp .+0\n\t"              /*  7 */
                     "   rjmp .+0\n\t"              /*  9 */
                     "   nop\n\t"                   /* 11 */
                     "   out %[port], %[low]\n\t"   /* 12  and ends, for a 1 */
                     "   rjmp .+0\n\t"              /* 13 */
                     "   rjmp .+0\n\t"              /* 15 */
                     "   dec %[bits]\n\t"           /* 17 */
                     "   brne 1b\n\t"               /* 18  20 is 0 of the next bit */
                     : [byte] "+r"(byte), [bits] "+r"(bits)
                     : [port] "I"(_SFR_IO_ADDR(PORTB)), [high] "r"(high), [low] "r"(low));
}

void pixels_show(void)
{
    uint8_t low = PORTB & ~_BV(DATA);
    uint8_t high = low | _BV(DATA);
    _delay_us(RESET_US); /* with interrupts on: the strip takes what came before, and waits for a first pixel */
    cli();
    for (const uint8_t *byte = strip; byte < strip + sizeof strip; byte++) {
        write_byte(*byte, high, low);
        uart_poll();
        clock_poll();
    }
    sei();
}

void pixels_dark(void)
{
    for (uint8_t pixel = 0; pixel < PIXELS; pixel++)
        pixels_set(pixel, 0, 0, 0);
    pixels_show();
}
