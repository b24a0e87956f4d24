"""``grl serve`` as a process: killed and started again, refused where others could come in."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from learned import learned

from grl.cli import main
from grl.serve import running


@contextmanager
def serving(models: Path, own: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    command = [sys.executable, "-m", "grl", "serve", str(models), "--port", "0"]
    with subprocess.Popen(
        [*command, "--folder", str(own)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        try:
            yield server, server.stdout.readline().split()[0]
        finally:
            server.kill()


def ask(address: str, path: str, data: object = None) -> Any:
    body = None if data is None else json.dumps(data).encode()
    request = urllib.request.Request(
        address + path.lstrip("/"), body, {"content-type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.loads(answer.read())


def test_a_game_outlives_the_server(tmp_path: Path) -> None:
    """Killed in the middle of a game, the server has it when it is started again."""
    models, own = tmp_path / "models", tmp_path / "own"
    models.mkdir()
    learned("tic-tac-toe").save(models / "game.grl.json")
    with serving(models, own) as (server, address):
        (model,) = ask(address, "/api/models")["models"]
        game = ask(address, "/api/games", {"model": model["id"]})
        played = ask(address, f"/api/games/{game['id']}/play", {"turn": "b2"})
        server.send_signal(signal.SIGKILL)
        server.wait(10)
    assert os.stat(own).st_mode & 0o077 == 0
    with serving(models, own) as (server, address):
        assert ask(address, f"/api/games/{game['id']}") == played
        server.send_signal(signal.SIGINT)
        server.wait(20)
        assert server.stderr is not None
        assert "Traceback" not in server.stderr.read()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--host", "0.0.0.0"], "others could reach this address"),
        (["--host", "192.0.2.7"], "others could reach this address"),
        (["--host", "0.0.0.0", "--token", "short"], "no good token"),
        (["--token", "a b c d e f g h i j"], "no good token"),
    ],
)
def test_others_come_in_with_a_token_alone(options: list[str], said: str, tmp_path: Path) -> None:
    found = CliRunner().invoke(main, ["serve", str(tmp_path), *options])
    assert said in (found.output + str(found.exception))


def test_a_folder_of_others_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    found = CliRunner().invoke(main, ["serve", str(tmp_path), "--folder", str(tmp_path)])
    assert "others can write" in (found.output + str(found.exception))


def test_missing_packages_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "find_spec", lambda name: None if name == "uvicorn" else name)
    found = CliRunner().invoke(main, ["serve", str(tmp_path)])
    assert "pip install 'grl[web]'" in (found.output + str(found.exception))
    assert "no uvicorn" in (found.output + str(found.exception))
