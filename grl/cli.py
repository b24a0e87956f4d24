"""The command line: one group, one line for every error, and the exit status.

0 when a command did what was asked, 1 when the answer is no, 2 for bad input. A command returns
its status or None; it imports its room only when it runs, so that help answers fast.
"""

from __future__ import annotations

import errno
import gc
import io
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import click

from grl.commands.analysing import analyse
from grl.commands.asking import ask
from grl.commands.common import example
from grl.commands.comparing import compare
from grl.commands.drawing import export, render
from grl.commands.engine import engine
from grl.commands.explaining import explain
from grl.commands.iggp import iggp
from grl.commands.importing import import_
from grl.commands.installed import doctor, games
from grl.commands.las import las
from grl.commands.learning import learn
from grl.commands.locm import locm
from grl.commands.matching import arena
from grl.commands.moving import moves, perft
from grl.commands.planning import plan
from grl.commands.playing import play
from grl.commands.protocol import protocol
from grl.commands.recording import traces
from grl.commands.rules import rules
from grl.commands.serving import serve
from grl.commands.strategies import learn_strategy
from grl.errors import GrlError, one_line
from grl.resources import RARELY

BAD_INPUT = 2
INTERRUPTED = 130
BROKEN_PIPE = 141
"""What a shell reports of a process that SIGPIPE ended."""
_OUTPUT = frozenset({errno.ENOSPC, errno.EIO, errno.EFBIG, errno.EDQUOT})
"""Errors without a file's name that come from writing to standard output."""


class _Refused(click.ClickException):
    """Bad input, in the one line that is shown."""

    exit_code = BAD_INPUT


class _Interrupted(click.ClickException):
    exit_code = INTERRUPTED


class _NoReader(Exception):
    """Whoever read standard output has gone, which is no error; click takes it for one."""


class _OneLine(click.Group):
    """A group that shows every error as one line on standard error."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise _Interrupted("interrupted") from None
        except GrlError as error:
            raise _Refused(str(error)) from error
        except BrokenPipeError:
            raise _NoReader from None
        except OSError as error:
            if error.errno in _OUTPUT and not error.filename:
                raise
            where = f"{error.filename}: " if error.filename else ""
            raise _Refused(f"{where}{error.strerror or error}") from error

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        try:
            return super().make_context(*args, **extra)
        except BrokenPipeError:
            raise _NoReader from None

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        for stream in (sys.stdin, sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")
        if not standalone_mode:
            return super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
        gc.set_threshold(RARELY)
        try:
            status = super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
            if sys.stdout is not None:
                sys.stdout.flush()
        except click.ClickException as error:
            _say(_line(error))
            sys.exit(error.exit_code)
        except click.Abort:
            _say("interrupted")
            sys.exit(INTERRUPTED)
        except (_NoReader, BrokenPipeError):
            _forget_output()
            sys.exit(BROKEN_PIPE)
        except OSError as error:
            _forget_output()
            _say(f"can't write the output: {error.strerror or error}")
            sys.exit(BAD_INPUT)
        sys.exit(status if isinstance(status, int) else 0)


def _line(error: click.ClickException) -> str:
    text = error.format_message()
    if isinstance(error, click.UsageError) and error.ctx is not None:
        text += f" (see '{error.ctx.command_path} --help')"
    return text


def _say(text: str) -> None:
    """One line on standard error, if anybody reads it."""
    with suppress(OSError):
        click.echo(f"grl: {one_line(text)}", err=True)


def _forget_output() -> None:
    """Let what standard output still holds go nowhere, or Python complains when it exits."""
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@click.group(
    cls=_OneLine,
    invoke_without_command=True,
    epilog=example(
        "grl traces generate GAME -n 50 --all-moves -o games.jsonl",
        "grl learn games.jsonl -o model.grl.json",
        "grl moves model.grl.json",
    ),
)
@click.version_option(package_name="grl", message="%(prog)s %(version)s")
@click.pass_context
def main(ctx: click.Context) -> None:
    """Learns the rules of board games from records of play, and plays by what it learned."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


for _command in (
    learn,
    rules,
    ask,
    moves,
    explain,
    perft,
    render,
    compare,
    export,
    traces,
    import_,
    games,
    locm,
    las,
    iggp,
    play,
    serve,
    analyse,
    plan,
    arena,
    learn_strategy,
    protocol,
    engine,
    doctor,
):
    main.add_command(_command)
