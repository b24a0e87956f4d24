"""``python -m grl`` and the command ``grl``: the command line, interruptible from its first moment.

Until the command line is loaded an interrupt just ends the process, for there is nothing to keep
and nobody to catch an exception in the middle of an import.
"""

from __future__ import annotations

import signal


def main() -> None:
    """Run the command line; does not return."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        from grl.cli import main as command_line

        signal.signal(signal.SIGINT, signal.default_int_handler)
    else:
        from grl.cli import main as command_line
    command_line(prog_name="grl")


if __name__ == "__main__":
    main()
