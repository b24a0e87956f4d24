"""The trace files that ship are what the commands in their README make."""

import gzip
import re
import shlex
from pathlib import Path

import pytest
import zstandard
from click.testing import CliRunner

from grl.cli import main
from grl.traces import Traces

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "traces"
SLOW = {"traces/amazons/6x6-all-moves.jsonl.zst"}
LARGEST = 3_000_000

COMMANDS = [
    shlex.split(line)
    for line in (FOLDER / "README.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("grl traces generate ")
]
FILES = [command[command.index("-o") + 1] for command in COMMANDS]
REGENERATED = [
    pytest.param(command, name, id=name)
    for command, name in zip(COMMANDS, FILES, strict=True)
    if name not in SLOW
]


def content(path: Path) -> bytes:
    """The bytes of a trace file, without its packing: packers differ from version to version."""
    packed = path.read_bytes()
    if path.suffix == ".gz":
        return gzip.decompress(packed)
    if path.suffix == ".zst":
        return zstandard.ZstdDecompressor().decompressobj().decompress(packed)
    return packed


@pytest.mark.parametrize(("command", "name"), REGENERATED)
def test_the_command_makes_the_shipped_file(command, name, tmp_path):
    target = tmp_path / Path(name).name
    arguments = [str(target) if word == name else word for word in command[1:]]

    result = CliRunner().invoke(main, arguments, catch_exceptions=False)

    assert result.exit_code == 0, result.output
    assert content(target) == content(ROOT / name)


def test_every_shipped_file_has_its_command_and_its_line_in_the_table():
    shipped = {
        path.relative_to(ROOT).as_posix() for path in FOLDER.rglob("*") if ".jsonl" in path.name
    }
    table = set(re.findall(r"^\| `(\S+)` \|", (FOLDER / "README.md").read_text("utf-8"), re.M))

    assert shipped == set(FILES)
    assert {f"traces/{name}" for name in table} == shipped


@pytest.mark.parametrize("name", FILES)
def test_every_shipped_file_is_sound_and_says_what_its_name_says(name):
    plays = 0
    for play in Traces.open(ROOT / name):
        plays += 1
        assert play.plies
        assert all((ply.legal is not None) == ("all-moves" in name) for ply in play.plies)

    assert plays == int(COMMANDS[FILES.index(name)][COMMANDS[FILES.index(name)].index("-n") + 1])


def test_the_folder_stays_small():
    assert sum(path.stat().st_size for path in FOLDER.rglob("*") if path.is_file()) < LARGEST
