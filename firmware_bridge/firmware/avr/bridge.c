/* What the board does: it tells the host what stands on its cells, and lights what the host wants lit. It knows no
 * game. The protocol is described in firmware_bridge/README.md. */
#include "board.h"
#include "bridge.h"
#include "clock.h"
#include "debounce.h"
#include "host.h"
#include "pixels.h"
#include "sensors.h"
#include "tell.h"
#include "uart.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>

enum { LAMP = PB5, FIRST_READINGS = 10 };

static uint16_t since_scan; /* ticks */

static bool scan(uint8_t passed)
{
    static uint8_t read[LINES], waiting;
    waiting += passed;
    if (!sensors_read(read))
        return false;
    bool changed = debounce(read, waiting, host_hold());
    waiting = 0;
    return changed;
}

static void tick(uint8_t passed)
{
    watchdog_feed();
    since_scan += passed;
    if (scan(passed) || since_scan >= host_scan_hertz() / 2) {
        since_scan = 0;
        tell_scan();
    }
    host_wait(passed);
}

static void light_lamp(void)
{
    if (host_is_there())
        PORTB |= _BV(LAMP);
    else
        PORTB &= ~_BV(LAMP);
}

/* Until something comes: the check and the sleep are one, for sei() lets one more instruction pass (avr-libc,
 * avr/sleep.h). */
static void rest(void)
{
    cli();
    if (!uart_holds() && !clock_due()) {
        sleep_enable();
        sei();
        sleep_cpu();
        sleep_disable();
    }
    sei();
}

/* The host shall not take a board for empty that has only just begun to look. */
static void look_first(void)
{
    for (uint8_t readings = 0; readings < FIRST_READINGS; rest()) {
        uint8_t passed = clock_passed();
        if (passed) {
            scan(passed);
            readings++;
        }
    }
}

void bridge_setup(void)
{
    DDRB |= _BV(LAMP);
    sensors_setup();
    pixels_setup();
    uart_setup();
    clock_setup(SCAN_HZ);
    watchdog_setup();
    set_sleep_mode(SLEEP_MODE_IDLE);
    sei();
    pixels_dark();
    look_first();
    tell_start();
}

void bridge_step(void)
{
    host_serve();
    uint8_t passed = clock_passed();
    if (passed)
        tick(passed);
    light_lamp();
    rest();
}
