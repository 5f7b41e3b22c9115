/* The board: its size, its pins, its speeds. Whoever wires another one changes this file and no other.
 *
 * Pins of an Arduino Uno or Nano (ATmega328P at 16 MHz); README.md has the same as a table.
 *   D0, D1                      serial, through the board's own USB chip
 *   D2..D7, D8, D9              rows 0..7        PD2..PD7, PB0, PB1
 *   A0..A5, D10, D11            columns 0..7     PC0..PC5, PB2, PB3
 *   D12                         pixels           PB4
 *   D13                         the board's own lamp: a host is there (PB5)
 * With halls (KIND 1) instead of rows and columns:
 *   D2..D5                      S0..S3 of all multiplexers   PD2..PD5
 *   A0..A3                      what they give: multiplexer 0 has rows 0 and 1, and so on (ADC0..ADC3)
 */
#ifndef BOARD_H
#define BOARD_H

#include <stdint.h>

#define FIRMWARE_MAJOR 1
#define FIRMWARE_MINOR 0

#define PRESENCE 0 /* switches: something stands there */
#define POLARITY 1 /* halls: heads or tails stands there */
#define PRESSES 2  /* buttons */

#ifndef KIND
#define KIND PRESENCE
#endif

#ifndef F_CPU
#define F_CPU 16000000UL
#endif

#ifndef BAUD
#define BAUD 115200
#endif

enum {
    ROWS = 8,
    COLUMNS = 8,
    PIXELS = 64,
    PALETTE = 32,
    PLANES = KIND == POLARITY ? 2 : 1, /* bitmaps in a scan: heads and tails have one each */
    LINES = ROWS * PLANES,             /* bytes of all bitmaps */

    SETTLE_US = 20,  /* from choosing a row to reading it: see matrix.c */
    HOLD_MS = 4,     /* until the host says otherwise: a change has to be read for so long */
    SCAN_HZ = 1000,  /* likewise: scans a second */
    SLOWEST_HZ = 50, /* what a host may ask for */
    FASTEST_HZ = 2000,
    SILENCE_S = 2, /* without a host for so long: dark */
};

#endif
