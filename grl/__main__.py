"""``python -m grl`` is the command ``grl``."""

from grl.cli import main

if __name__ == "__main__":
    main(prog_name="grl")
