/* Time: a tick for every scan, and the watchdog. */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* Starts the ticks, so many a second. */
void clock_setup(uint16_t hertz);

/* How many ticks have passed since this was last asked: none, mostly. */
uint8_t clock_passed(void);

/* True when clock_passed() would not say none. */
bool clock_due(void);

/* Counts a tick whose interrupt is held up. For places with interrupts off. */
void clock_poll(void);

/* What the processor was last reset by: the bits of MCUSR, or none where a boot loader has cleared them. */
uint8_t clock_reset_cause(void);

/* The watchdog resets the board a quarter of a second after the last of these. */
void watchdog_setup(void);
void watchdog_feed(void);

#endif
