"""Before USB begins: one serial port, for frames. The console would take a byte 0x03 of them for Ctrl-C."""

import usb_cdc

usb_cdc.enable(console=False, data=True)
