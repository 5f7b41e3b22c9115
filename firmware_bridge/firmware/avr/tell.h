/* What the board tells the host. */
#ifndef TELL_H
#define TELL_H

#include <stdint.h>

/* That it has begun, and why; then as an answer to HELLO. */
void tell_start(void);
void tell_hello(void);

void tell_scan(void);
void tell_done(uint8_t seq);
void tell_error(uint8_t code, uint8_t seq);

/* To a person at a terminal. */
void tell_person(void);

#endif
