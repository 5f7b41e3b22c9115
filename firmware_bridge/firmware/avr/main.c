/* main(), where there is no Arduino core that has one. */
#ifndef ARDUINO

#include "bridge.h"

int main(void)
{
    bridge_setup();
    for (;;)
        bridge_step();
}

#endif
