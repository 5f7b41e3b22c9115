"""`python -m boardctl` is the command `boardctl`."""

from __future__ import annotations

from boardctl.cli import main

if __name__ == "__main__":
    main()
