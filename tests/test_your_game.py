"""The page on a game of one's own: its files are saved, its commands run, in the page's order."""

from __future__ import annotations

import re
import runpy
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from grl.cli import main
from grl.traces import Traces

PAGE = (Path(__file__).parents[1] / "docs" / "your-game.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"([^\n]*)\n\n```(\w+)\n(.*?)```", re.DOTALL)


def test_everything_on_the_page_runs_and_learns_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    compared = []
    for before, kind, text in BLOCK.findall(PAGE):
        name = re.search(r"`(\w+\.(?:py|txt|json))`", before)
        if kind != "sh":
            if name is not None:
                Path(name[1]).write_text(text)
            continue
        for line in text.splitlines():
            program, *words = shlex.split(line)
            if program == "python":
                runpy.run_path(words[0])
                continue
            done = CliRunner().invoke(main, words, catch_exceptions=False)
            assert done.exit_code == 0, (line, done.output)
            if words[0] == "compare":
                compared.append(done.stdout.splitlines()[-1])

    assert compared == ["no difference", "no difference"]
    written = [[ply.turn for ply in play.plies] for play in Traces.open("hop-log.jsonl")]
    imported = [[ply.turn for ply in play.plies] for play in Traces.open("hop-moves.jsonl")]
    assert len(written) == 8
    assert written == imported
