/* What stands on the cells, read from the pins: by matrix.c or by halls.c, as KIND says. */
#ifndef SENSORS_H
#define SENSORS_H

#include "board.h"

#include <stdbool.h>

void sensors_setup(void);

/* Reads the cells, or a part of them: to be called once a tick. True when all have been read anew, into `read`. */
bool sensors_read(uint8_t read[LINES]);

#endif
