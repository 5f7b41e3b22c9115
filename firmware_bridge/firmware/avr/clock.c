/* Ticks of Timer1, cleared on compare match (ATmega328P data sheet, 15.9.2), and the watchdog (10.8).
 * Timer0 is left to the Arduino core. */
#include "board.h"
#include "clock.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/wdt.h>
#include <util/atomic.h>

static volatile uint8_t ticks;
static uint8_t reset_cause __attribute__((section(".noinit")));

/* After a reset by the watchdog it runs on at its shortest time, 16 ms: it has to be stopped before main (10.8.2). */
void clock_stop_watchdog(void) __attribute__((naked, used, section(".init3")));
void clock_stop_watchdog(void)
{
    reset_cause = MCUSR;
    MCUSR = 0;
    wdt_disable();
}

uint8_t clock_reset_cause(void)
{
    return reset_cause;
}

void clock_setup(uint16_t hertz)
{
    TCCR1A = 0;
    TCCR1B = 0;
    TCNT1 = 0;
    OCR1A = F_CPU / 8 / hertz - 1;
    TIMSK1 = _BV(OCIE1A);
    TCCR1B = _BV(WGM12) | _BV(CS11); /* an eighth of the processor's clock */
}

ISR(TIMER1_COMPA_vect)
{
    ticks++;
}

void clock_poll(void)
{
    if (TIFR1 & _BV(OCF1A)) {
        TIFR1 = _BV(OCF1A);
        ticks++;
    }
}

bool clock_due(void)
{
    return ticks != 0;
}

uint8_t clock_passed(void)
{
    uint8_t passed;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        passed = ticks;
        ticks = 0;
    }
    return passed;
}

void watchdog_setup(void)
{
    wdt_enable(WDTO_250MS);
}

void watchdog_feed(void)
{
    wdt_reset();
}
