/* Frames, both ways. COBS: Cheshire and Baker, "Consistent Overhead Byte Stuffing", 1999. */
#include "wire.h"
#include "uart.h"

#include <util/crc16.h>

enum { LONGEST = 254, SHORTEST = 4 }; /* before COBS: so it adds exactly one byte */

static uint16_t crc(const uint8_t *bytes, uint8_t length)
{
    uint16_t sum = 0;
    while (length--)
        sum = _crc_xmodem_update(sum, *bytes++);
    return sum;
}

/* What has come of a frame so far. */
static struct {
    uint8_t bytes[LONGEST];
    uint8_t length;
    uint8_t code; /* of the block that is coming; 0 before the first */
    uint8_t left; /* bytes of it still to come */
    bool spoilt;
} in;

static void begin_again(void)
{
    in.length = in.code = in.left = 0;
    in.spoilt = false;
}

static void keep(uint8_t byte)
{
    if (in.length < LONGEST)
        in.bytes[in.length++] = byte;
    else
        in.spoilt = true;
}

static void unstuff(uint8_t byte)
{
    if (in.left) {
        in.left--;
        keep(byte);
        return;
    }
    if (in.code) /* a block of 254 bytes has no zero after it, and nothing either: it is the longest frame */
        keep(0);
    in.code = byte;
    in.left = byte - 1;
}

/* The whole of a good frame has a CRC of zero, its own CRC included. */
static bool good(void)
{
    return !in.spoilt && !in.left && in.length >= SHORTEST && crc(in.bytes, in.length) == 0;
}

static enum arrival ended(struct frame *frame)
{
    enum arrival what = in.code ? good() ? FRAME : GARBAGE : NOTHING;
    if (what == FRAME) {
        frame->type = in.bytes[0];
        frame->seq = in.bytes[1];
        frame->length = in.length - SHORTEST;
        frame->payload = in.bytes + 2;
    }
    begin_again();
    return what;
}

/* `?` and newline, with nothing before: as the beginning of a frame that would be type 0x0A, which there is not. */
static bool asked(void)
{
    return in.code == '?' && in.length == 1 && in.bytes[0] == '\n';
}

enum arrival wire_feed(uint8_t byte, struct frame *frame)
{
    if (byte == 0)
        return ended(frame);
    unstuff(byte);
    if (!asked())
        return NOTHING;
    begin_again();
    return QUESTION;
}

static struct {
    uint8_t bytes[OUT_PAYLOAD + SHORTEST];
    uint8_t length, seq;
} out;

void wire_begin(uint8_t type)
{
    out.bytes[0] = type;
    out.bytes[1] = out.seq++;
    out.length = 2;
}

void wire_add(uint8_t byte)
{
    out.bytes[out.length++] = byte;
}

/* Sends the bytes up to the next zero, or to the end, as one block; answers where the next one begins. */
static uint8_t send_block(uint8_t from)
{
    uint8_t to = from;
    while (to < out.length && out.bytes[to])
        to++;
    uart_put(to - from + 1);
    while (from < to)
        uart_put(out.bytes[from++]);
    return to + 1;
}

void wire_send(void)
{
    uint16_t sum = crc(out.bytes, out.length);
    wire_add(sum >> 8);
    wire_add(sum);
    for (uint8_t from = 0; from <= out.length;)
        from = send_block(from);
    uart_put(0);
}
