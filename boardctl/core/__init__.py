"""The pure core: readings in, commands out. It knows no game, clock, thread, file, log or random number."""
