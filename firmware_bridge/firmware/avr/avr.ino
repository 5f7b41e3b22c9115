/* The same firmware as an Arduino sketch: open this folder in the Arduino program, choose Uno or Nano, and upload. */
extern "C" {
#include "bridge.h"
}

void setup() { bridge_setup(); }

void loop() { bridge_step(); }
