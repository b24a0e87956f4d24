"""``grl games`` and ``grl doctor``: what is installed here."""

from __future__ import annotations

import click

from grl.commands.common import example, table


@click.command(epilog=example("grl games"))
def games() -> None:
    """List the games that have a hand-written reference."""
    from grl.games import available, factory, options

    found = [
        (
            name,
            ",".join(f"{key}={value}" for key, value in options(name).items()) or "-",
            getattr(factory(name), "provenance", ""),
        )
        for name in available()
    ]
    if not found:
        click.echo("no package registers a game", err=True)
        return
    click.echo(table(("game", "options", "rules after"), found))
    click.echo("An option is written behind the name: GAME:option=number,option=number")


@click.command(epilog=example("grl doctor"))
def doctor() -> None:
    """Tell what is installed, what is missing, and what to do about it."""
    from grl.doctor import check_up

    findings = check_up()
    click.echo(
        table(
            ("", "part", "version", "needed for"),
            [
                ("ok" if f.ok else "missing", f.name, f.version or "-", f.needed_for)
                for f in findings
            ],
        )
    )
    for finding in findings:
        if not finding.ok:
            click.echo(f"{finding.name}: {finding.advice}")
