"""The repository as a newcomer meets it: README, changelog, links, lock file, and the wheel."""

import doctest
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import entry_points
from pathlib import Path

import bench
import prices
import pytest
from click.testing import CliRunner

import grl
from grl.cli import main

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PAGES = [
    ROOT / "README.md",
    ROOT / "CHANGELOG.md",
    ROOT / "traces" / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
]


@pytest.fixture
def beside_the_traces(tmp_path, monkeypatch):
    """A folder of one's own in which the README's paths are right."""
    (tmp_path / "traces").symlink_to(ROOT / "traces")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_page_of_prices_is_what_the_code_says():
    assert prices.PAGE.read_text(encoding="utf-8") == prices.page()


def commands(text):
    blocks = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    return [shlex.split(line, comments=True) for block in blocks for line in block.splitlines()]


def test_every_grl_command_of_the_readme_runs_and_prints_what_it_says(beside_the_traces):
    lines = [line for line in commands(README) if line[:1] == ["grl"]]
    printed = ""

    for line in lines:
        result = CliRunner().invoke(main, line[1:], catch_exceptions=False)
        assert result.exit_code == 0, (line, result.output)
        printed += result.output

    assert len(lines) >= 4
    for command in ("grl rules", "grl compare"):
        shown = re.search(rf"`{command}` says[^\n]*:\n\n```text\n(.*?)```", README, re.DOTALL)
        assert shown is not None
        assert shown.group(1) in printed
    assert list((beside_the_traces / "pictures").iterdir())


@pytest.mark.usefixtures("beside_the_traces")
def test_the_python_of_the_readme_does_what_it_shows():
    found = doctest.testfile(str(ROOT / "README.md"), module_relative=False, encoding="utf-8")

    assert found.attempted >= 6
    assert found.failed == 0


def test_every_command_named_in_the_readme_exists():
    named = set(re.findall(r"`grl ([a-z]+)(?: [a-z]+)?`", README))

    assert named
    assert named <= set(main.commands)


def test_every_make_target_named_in_the_readme_exists():
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    named = set(re.findall(r"\bmake ([a-z]+)(?:`|\s+#| PART)", README))

    assert {"demo", "test", "bench"} <= named
    assert named <= targets


def test_every_part_of_the_bench_named_on_a_page_exists():
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    named = set(re.findall(r"make bench PART=\"?([\w-]+)", text))

    assert len(named) >= 8
    assert named <= {*bench.PARTS, *bench.LONG}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_between_pages_lead_somewhere(page):
    for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        if "://" not in link:
            assert (page.parent / link.partition("#")[0]).exists(), link


def test_the_site_has_every_page_and_what_grl_gives():
    pages = {page.stem for page in (ROOT / "docs").glob("*.md")} - {"index"}
    listed = set((ROOT / "docs" / "index.md").read_text(encoding="utf-8").split())
    reference = ROOT / "docs" / "reference"
    first = (reference / "index.rst").read_text(encoding="utf-8")
    modules = set(
        re.findall(
            r"automodule:: (\S+)", "".join(p.read_text("utf-8") for p in reference.glob("*.rst"))
        )
    )

    assert pages <= listed
    for name in set(grl.__all__) - {"__version__"}:
        assert f"``grl.{name}``" in first
        assert getattr(grl, name).__module__ in modules


def test_the_changelog_has_the_version_of_the_package():
    version = PROJECT["project"]["version"]

    assert version == grl.__version__
    assert f"## [{version}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_page_on_architecture_has_every_room_of_the_layers():
    layers = PROJECT["tool"]["importlinter"]["contracts"][0]["layers"]
    rooms = {room for layer in layers for room in re.split(r"[|:\s]+", layer)}
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    table = "".join(line for line in page.splitlines() if line.startswith("| `"))

    assert rooms == {name.strip("/") for name in re.findall(r"`([a-z_]+/?)`", table)}


def test_the_page_on_architecture_has_every_room_of_the_rules():
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rooms = {path.parent.name for path in (ROOT / "grl" / "rules").glob("*/__init__.py")}

    assert rooms == set(re.findall(r"`rules/([a-z_]+)/`", page))


def test_the_lock_file_pins_every_dependency_and_names_no_place():
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    pins = dict(re.findall(r"^([a-z0-9._-]+)==(\S+)$", lock, re.MULTILINE))
    extras = dict(PROJECT["project"]["optional-dependencies"])
    large = extras.pop("gpu")
    wanted = [
        *PROJECT["project"]["dependencies"],
        *(name for extra in extras.values() for name in extra),
    ]
    (locked,) = re.findall(
        r"^LOCKED := (.*)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE
    )

    assert {re.split(r"[^A-Za-z0-9._-]", name)[0] for name in wanted} <= set(pins)
    assert locked.split() == sorted(extras)
    assert not {name.partition(">=")[0] for name in large} & set(pins)
    assert "://" not in lock
    assert not re.search(r"^\s*-|^/|@", lock, re.MULTILINE)


def test_ci_runs_make_test():
    script = ROOT / ".ci" / "run"

    assert os.access(script, os.X_OK)
    assert "make test" in script.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The names of the files in a wheel built from a copy of the tree."""
    tree = tmp_path_factory.mktemp("tree")
    for name in ("grl", "games"):
        shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tree)
    build = "from setuptools import build_meta; build_meta.build_wheel('dist')"
    done = subprocess.run(
        [sys.executable, "-c", build], cwd=tree, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    (path,) = (tree / "dist").glob("*.whl")
    with zipfile.ZipFile(path) as archive:
        return set(archive.namelist())


def test_a_wheel_installs_grl_and_grl_games_and_nothing_else(wheel):
    top = {name.split("/")[0] for name in wheel}

    assert top == {"grl", "grl_games", f"grl-{grl.__version__}.dist-info"}


def test_a_wheel_holds_every_module_and_data_file(wheel):
    wanted = {
        f"{package}/{path.relative_to(ROOT / folder).as_posix()}"
        for folder, package in (("grl", "grl"), ("games", "grl_games"))
        for path in (ROOT / folder).rglob("*")
        if path.suffix in {".py", ".json", ".typed", ".h"}
    }

    assert wanted <= wheel
    assert {"grl/trace.schema.json", "grl/py.typed", "grl_games/py.typed"} <= wheel


def test_every_registered_game_of_ours_is_in_the_wheel(wheel):
    modules = [e.module for e in entry_points(group="grl.games") if e.value.startswith("grl_games")]

    assert len(modules) >= 6
    assert {module.replace(".", "/") + ".py" for module in modules} <= wheel
