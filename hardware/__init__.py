"""Cells, sensors and pixels: drivers, board files and the simulated table. No game is known here."""
