"""``grl serve``: a page on which learned games are played, seen, questioned and taught."""

from __future__ import annotations

from pathlib import Path

import click

from grl.commands.common import FilePath, example

PORT = 8000


@click.command(
    epilog=example(
        "grl serve model.grl.json",
        "grl serve demo --port 8080",
        "grl serve demo --host 0.0.0.0 --token CHOOSE-A-LONG-ONE",
    )
)
@click.argument("sources", metavar="[MODEL|FOLDER]...", nargs=-1, type=FilePath(exists=True))
@click.option(
    "--port",
    metavar="N",
    type=click.IntRange(0, 65535),
    default=PORT,
    show_default=True,
    help="0: any that is free.",
)
@click.option(
    "--host",
    metavar="NAME",
    default="127.0.0.1",
    show_default=True,
    help="Where to listen; beyond this machine only with a token.",
)
@click.option("--token", metavar="TEXT", default="", help="Ask everybody for this.")
@click.option(
    "--folder",
    metavar="DIR",
    type=FilePath(file_okay=False),
    help="Where games, uploads and new models are kept.",
)
@click.option(
    "--traces",
    "records",
    metavar="FILE|DIR",
    multiple=True,
    type=FilePath(exists=True),
    help="Records, for examples of rules and to learn on from; repeatable.",
)
@click.option("--open", "shown", is_flag=True, help="Open the page in a browser.")
def serve(
    sources: tuple[Path, ...],
    port: int,
    host: str,
    token: str,
    folder: Path | None,
    records: tuple[Path, ...],
    shown: bool,
) -> None:
    """Play, see, question and teach learned games on a page.

    Models are files that end in .grl.json, and those in folders; without any, those in the current
    folder. Stop with Ctrl-C: games stay, in --folder.
    """
    from grl.serve.running import run

    run(sources or (Path(),), records, folder, host, port, token, shown, click.echo)
