/* The whole firmware, as two calls: for main() and for an Arduino sketch alike. */
#ifndef BRIDGE_H
#define BRIDGE_H

/* Once, with interrupts off or on. */
void bridge_setup(void);

/* For ever. Returns after each piece of work, at least once a tick. */
void bridge_step(void);

#endif
