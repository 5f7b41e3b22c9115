/* What the board tells the host, frame by frame. */
#include "tell.h"
#include "board.h"
#include "clock.h"
#include "debounce.h"
#include "uart.h"
#include "wire.h"

#include <avr/io.h>
#include <avr/pgmspace.h>

enum { RGB_FRAMES = 1, PALETTE_FRAMES = 2, TAKES_SETTINGS = 4 };

static const uint8_t hello[] PROGMEM = {
    PROTOCOL, FIRMWARE_MAJOR, FIRMWARE_MINOR, ROWS, COLUMNS, PIXELS, KIND,
    RGB_FRAMES | PALETTE_FRAMES | TAKES_SETTINGS,
};

void tell_hello(void)
{
    wire_begin(BOARD_HELLO);
    for (uint8_t i = 0; i < sizeof hello; i++)
        wire_add(pgm_read_byte(hello + i));
    wire_send();
}

static PGM_P cause(void)
{
    uint8_t bits = clock_reset_cause();
    if (bits & _BV(WDRF))
        return PSTR("started by the watchdog");
    if (bits & _BV(PORF))
        return PSTR("started by power on"); /* comes with a brown-out, too */
    if (bits & _BV(BORF))
        return PSTR("started by a brown-out");
    if (bits & _BV(EXTRF))
        return PSTR("started by the reset pin");
    return PSTR("started by the boot loader");
}

static void tell_log(PGM_P text)
{
    wire_begin(LOG);
    for (char letter; (letter = pgm_read_byte(text)); text++)
        wire_add(letter);
    wire_send();
}

void tell_start(void)
{
    uart_put(0); /* ends whatever the line brought while the board began */
    tell_hello();
    tell_log(cause());
    tell_scan();
}

void tell_scan(void)
{
    wire_begin(SCAN);
    for (uint8_t line = 0; line < LINES; line++)
        wire_add(cells[line]);
    wire_send();
}

void tell_done(uint8_t seq)
{
    wire_begin(DONE);
    wire_add(seq);
    wire_send();
}

void tell_error(uint8_t code, uint8_t seq)
{
    wire_begin(ERROR);
    wire_add(code);
    wire_add(seq);
    wire_send();
}

static void say(PGM_P text)
{
    for (char letter; (letter = pgm_read_byte(text)); text++)
        uart_put(letter);
}

void tell_person(void)
{
    say(PSTR("\r\nboardctl firmware. It talks in frames: see firmware_bridge/README.md.\r\n"));
    for (uint8_t line = 0; line < LINES; line++) {
        for (uint8_t column = 0; column < COLUMNS; column++)
            uart_put(cells[line] >> column & 1 ? '#' : '.');
        say(PSTR("\r\n"));
    }
    uart_put(0); /* so that a host takes this for garbage, and the next frame for a frame */
}
