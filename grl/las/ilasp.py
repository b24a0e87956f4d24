"""Runs an installed ILASP on a task file, to compare with it."""

from __future__ import annotations

import os
import shutil
import subprocess
from functools import partial
from pathlib import Path

from grl.children import FORKS, dies_with
from grl.errors import MissingExtra
from grl.las.task import Limits

NAMES = ("ILASP", "ilasp")
VERSION = "--version=4"


def run(path: Path, limits: Limits, seconds: float | None) -> tuple[str, bool]:
    """What ILASP printed, and whether it found a hypothesis."""
    program = next((found for name in NAMES if (found := shutil.which(name))), None)
    if program is None:
        raise MissingExtra(
            "ILASP is not installed",
            hint="it is a closed program: see ilasp.com; or leave --engine",
        )
    command = [program, VERSION, f"-ml={limits.body}", f"--max-rule-length={limits.rule}"]
    command += [] if limits.constraints else ["-nc"]
    command += [] if limits.choices else ["-na"]
    command += [] if limits.weak is None else [f"--max-wc-length={limits.weak}"]
    try:
        done = subprocess.run(
            [*command, str(path)],
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
            preexec_fn=partial(dies_with, os.getpid()) if FORKS else None,
        )
    except subprocess.TimeoutExpired:
        return "% ILASP did not end within the time limit", False
    if done.returncode:
        said = " ".join((done.stderr or done.stdout).split())
        return f"% ILASP failed: {said}", False
    return done.stdout.strip(), "UNSATISFIABLE" not in done.stdout
