/* The strip of WS2812 under the cells. */
#ifndef PIXELS_H
#define PIXELS_H

#include <stdint.h>

void pixels_setup(void);

/* Sets one pixel, to be seen with the next pixels_show(). */
void pixels_set(uint8_t pixel, uint8_t red, uint8_t green, uint8_t blue);

/* No part of a colour set from now on goes out higher than this. */
void pixels_cap(uint8_t cap);

/* Writes all pixels to the strip: 2.4 ms for 64, nearly all of it with interrupts off; the serial line and the ticks
 * are served between the bytes. */
void pixels_show(void);

void pixels_dark(void);

#endif
