/* Frames: COBS(type, seq, payload, CRC-16), then 0x00. The protocol is described in firmware_bridge/README.md. */
#ifndef WIRE_H
#define WIRE_H

#include <stdbool.h>
#include <stdint.h>

enum { PROTOCOL = 1 };

enum { /* from the host */
    HELLO = 0x01,
    LEDS = 0x02,
    INDEXED = 0x03,
    PALETTES = 0x04,
    PING = 0x05,
    SETTINGS = 0x06,
};

enum { /* to the host */
    OF_A_BOARD = 0x80,
    BOARD_HELLO = 0x81,
    SCAN = 0x82,
    DONE = 0x83,
    LOG = 0x84,
    ERROR = 0x85,
};

enum { BAD_FORM = 1, UNKNOWN_TYPE, WRONG_LENGTH, OTHER_VERSION };

enum arrival { NOTHING, FRAME, GARBAGE, QUESTION };

struct frame {
    uint8_t type, seq, length;
    const uint8_t *payload; /* good until the next byte is fed */
};

/* Takes the next byte that came, and says what has come with it. QUESTION: a person asks, with `?` and newline. */
enum arrival wire_feed(uint8_t byte, struct frame *frame);

/* A frame to the host: begin, add, send. No more than OUT_PAYLOAD bytes are added. */
enum { OUT_PAYLOAD = 40 };
void wire_begin(uint8_t type);
void wire_add(uint8_t byte);
void wire_send(void);

#endif
