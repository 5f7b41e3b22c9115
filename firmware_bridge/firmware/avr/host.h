/* What the host wants: its frames carried out, its settings, and whether it is there at all. */
#ifndef HOST_H
#define HOST_H

#include <stdbool.h>
#include <stdint.h>

/* Takes what has come, up to the end of one frame, and carries that out. */
void host_serve(void);

/* So many ticks have passed: without a host for too long, the pixels go dark. */
void host_wait(uint8_t passed);

bool host_is_there(void);

/* Its settings: ticks that a change has to be read for, and ticks a second. */
uint8_t host_hold(void);
uint16_t host_scan_hertz(void);

#endif
