"""Calls of a library that run until a clock, a wish or an interrupt stops them."""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Callable

from grl.players.interface import Budget

PAUSE = 0.02
"""Seconds between two looks at the clock and at `Budget.stop`."""


def stoppable(work: Callable[[], object], stop: ctypes.c_int, budget: Budget) -> None:
    """Do work that ends soon after `stop` is set, and set it when the budget's time is over.

    The work is done by a thread of its own: a call of a library hears of no interrupt.
    """
    end = None if budget.seconds is None else time.perf_counter() + budget.seconds
    thread = threading.Thread(target=work)
    thread.start()
    try:
        while thread.is_alive():
            left = PAUSE if end is None else end - time.perf_counter()
            if left <= 0 or (budget.stop is not None and budget.stop()):
                break
            thread.join(min(left, PAUSE))
    finally:
        stop.value = 1
        thread.join()
