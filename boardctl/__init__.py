"""The program inside a real game board: it knows what hands did, lights what must be done, and judges."""

__version__ = "0.1.0"
