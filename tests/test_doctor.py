"""The check-up tells the truth about what is there and what isn't."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
import tempfile
import tomllib
from dataclasses import FrozenInstanceError
from importlib import metadata
from pathlib import Path

import pytest

from grl import doctor, games
from grl.doctor import Finding, check_up


def found(name: str) -> Finding:
    (one,) = [finding for finding in check_up() if finding.name == name]
    return one


def test_names_are_unique_and_every_problem_has_advice() -> None:
    findings = check_up()
    assert len({finding.name for finding in findings}) == len(findings)
    assert all(finding.needed_for for finding in findings)
    assert all(finding.advice for finding in findings if not finding.ok)


def test_every_core_dependency_of_the_project_is_looked_at() -> None:
    text = (Path(__file__).parent.parent / "pyproject.toml").read_text(encoding="utf-8")
    declared = {item.split(">=")[0] for item in tomllib.loads(text)["project"]["dependencies"]}
    assert declared == set(doctor.CORE)
    assert found("clingo") == Finding(
        "clingo", True, metadata.version("clingo"), doctor.CORE["clingo"], None
    )


def test_an_old_python_is_not_ok(monkeypatch: pytest.MonkeyPatch) -> None:
    assert found("Python").ok
    monkeypatch.setattr(doctor, "MIN_PYTHON", (9, 9))
    finding = found("Python")
    assert not finding.ok
    assert finding.advice == "install Python 9.9 or newer"


def test_a_missing_package_is_reported_with_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real = importlib.util.find_spec
    monkeypatch.setattr(doctor, "find_spec", lambda name: None if name == "clingo" else real(name))
    finding = found("clingo")
    assert (finding.ok, finding.version, finding.advice) == (False, None, "pip install clingo")
    assert found("numpy").ok


def test_a_module_without_a_distribution_is_there_without_a_version(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "pygraphviz").mkdir()
    (tmp_path / "pygraphviz" / "__init__.py").touch()

    def unknown(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.delitem(sys.modules, "pygraphviz", raising=False)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(metadata, "version", unknown)
    finding = found("pygraphviz")
    assert (finding.ok, finding.version) == (True, None)


def test_dot_is_looked_for_on_the_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: f"/opt/{name}")
    assert found("dot").ok
    monkeypatch.setattr(shutil, "which", lambda _: None)
    assert not found("dot").ok


def test_the_registered_games_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "available", lambda: {"one": None, "two": None})
    assert found("reference games").version == "2 registered"
    monkeypatch.setattr(games, "available", dict)
    assert not found("reference games").ok


def test_a_folder_that_cannot_be_written_is_not_ok(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise PermissionError(13, "Permission denied")

    assert found("temporary files").ok
    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    finding = found("temporary files")
    assert not finding.ok
    assert "Permission denied" in (finding.advice or "")


def test_cores_are_a_number() -> None:
    assert int(found("processor cores").version or "0") >= 1


def test_looking_imports_nothing_heavy() -> None:
    code = (
        "import sys; from grl.doctor import check_up; check_up(); "
        "print({'numpy', 'clingo', 'networkx', 'pygraphviz', 'rich'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_findings_are_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        check_up()[0].ok = False  # type: ignore[misc]
