"""The bridge to a microcontroller that scans and lights while the host judges."""
