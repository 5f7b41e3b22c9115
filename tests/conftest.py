"""What holds for all tests: no property fails because a machine is busy, and no signal is ignored from the start."""

from __future__ import annotations

import signal

from hypothesis import HealthCheck, settings

settings.register_profile("house", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("house")
if (
    signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
):  # as under nohup, and every process started here would inherit it
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
