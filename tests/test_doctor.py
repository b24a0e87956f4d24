"""The check-up says truly what is there and what isn't."""

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
from click.testing import CliRunner

from grl import compiler, doctor, games
from grl.cli import main
from grl.doctor import Finding, Requirement, check_up, requirements

PROJECT = tomllib.loads(
    (Path(__file__).parent.parent / "pyproject.toml").read_text(encoding="utf-8")
)["project"]
TRY_TO_IMPORT = doctor._broken


@pytest.fixture(autouse=True)
def nothing_is_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trying to import everything takes a process; the tests that mean it say so."""
    monkeypatch.setattr(doctor, "_broken", lambda _: {})


def found(name: str) -> Finding:
    (one,) = [finding for finding in check_up() if finding.name == name]
    return one


def test_names_are_unique_and_every_problem_has_advice() -> None:
    findings = check_up()
    assert len({finding.name for finding in findings}) == len(findings)
    assert all(finding.needed_for for finding in findings)
    assert all(finding.advice for finding in findings if not finding.ok)


def test_every_core_dependency_of_the_project_is_looked_at() -> None:
    declared = {item.split(">=")[0] for item in PROJECT["dependencies"]}
    assert declared == set(doctor.CORE)
    assert found("clingo") == Finding(
        "clingo", True, metadata.version("clingo"), doctor.CORE["clingo"], None, required=True
    )


def test_every_extra_of_the_project_is_looked_at() -> None:
    declared = {
        Requirement(*item.split(">="), extra)
        for extra, items in PROJECT["optional-dependencies"].items()
        for item in items
    }
    assert declared == {item for item in requirements() if item.extra is not None}
    assert set(PROJECT["optional-dependencies"]) == set(doctor.EXTRAS)
    assert {"pygraphviz", "lark", "extra dev"} <= {finding.name for finding in check_up()}
    assert not found("lark").required
    size = len(PROJECT["optional-dependencies"]["dev"])
    assert found("extra dev").version == f"{size} of {size} packages"


def test_requirements_are_read_from_metadata(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ['Some_Thing.x[all]<3,>=1.26 ; extra == "new" and python_version > "3"', "click"]
    monkeypatch.setattr(metadata, "requires", lambda _: lines)
    assert requirements() == [Requirement("Some_Thing.x", "1.26", "new"), Requirement("click")]
    finding = found("Some_Thing.x")
    assert (finding.ok, finding.required) == (False, False)
    assert finding.needed_for == "the extra new"
    assert finding.advice == "pip install 'grl[new]'"


def test_without_metadata_the_core_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(name: str) -> None:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "requires", unknown)
    assert [item.name for item in requirements()] == list(doctor.CORE)


def test_an_extra_lists_what_it_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    missing = {"xdist", "importlinter"}
    real = importlib.util.find_spec
    monkeypatch.setattr(doctor, "find_spec", lambda name: None if name in missing else real(name))
    finding = found("extra dev")
    assert not finding.ok
    assert finding.advice == "pip install 'grl[dev]' adds import-linter, pytest-xdist"


def test_a_package_that_is_too_old_is_not_ok(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metadata, "requires", lambda _: ["clingo>=5.10", "numpy>=1.26.0"])
    versions = {"clingo": "5.9.3.post1", "numpy": "1.26"}
    monkeypatch.setattr(metadata, "version", versions.__getitem__)
    assert found("clingo").advice == "5.10 or newer is needed: pip install clingo --upgrade"
    assert found("numpy").ok


def test_what_can_be_found_and_not_imported_is_not_ok(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "raising.py").write_text("import no_such_library", encoding="utf-8")
    (tmp_path / "crashing.py").write_text("import os; os._exit(7)", encoding="utf-8")
    (tmp_path / "sound.py").touch()
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    broken = TRY_TO_IMPORT(["sound", "raising", "nowhere", "crashing", "json"])
    assert broken == {
        "raising": "ModuleNotFoundError: No module named 'no_such_library'",
        "crashing": "importing it ended Python with status 7",
    }
    monkeypatch.setattr(doctor, "_broken", lambda _: {"clingo": "OSError: libclingo.so"})
    finding = found("clingo")
    assert not finding.ok
    assert "it can't be imported (OSError: libclingo.so)" in (finding.advice or "")


def test_the_command_answers_no_without_a_core_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_broken", lambda _: {"clingo": "OSError", "lark": "OSError"})
    result = CliRunner().invoke(main, ["doctor"])
    assert result.exit_code == 1
    assert result.output.splitlines()[-1] == "grl can't work without clingo"
    assert [line.split()[:2] for line in result.output.splitlines() if " lark " in line] == [
        ["absent", "lark"]
    ]


def test_the_command_answers_yes_without_optional_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_broken", lambda _: {"lark": "OSError", "pygraphviz": "OSError"})
    monkeypatch.setattr(shutil, "which", lambda _: None)
    result = CliRunner().invoke(main, ["doctor"])
    assert result.exit_code == 0
    assert "pip install 'grl[render]' --force-reinstall" in result.output


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
    assert finding.required
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


def test_a_graphics_processor_is_reported_where_there_is_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    said = tmp_path / "nvidia-smi"
    said.write_text("#!/bin/sh\necho 'GPU 0: NVIDIA X1 (UUID: GPU-17)'\n", encoding="utf-8")
    said.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    finding = found("graphics processor")
    assert (finding.ok, finding.version, finding.required) == (True, "NVIDIA X1", False)
    said.write_text("#!/bin/sh\necho 'No devices were found'\nexit 6\n", encoding="utf-8")
    finding = found("graphics processor")
    assert (finding.ok, finding.version) == (False, None)
    assert "processor cores" in (finding.advice or "")


def test_the_compiler_of_engines_is_reported(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    mine = tmp_path / "my-cc"
    mine.write_text("#!/bin/sh\necho 'cc (Some 7.7.7) 13.2.0 and more'\n", encoding="utf-8")
    mine.chmod(0o755)
    monkeypatch.setenv("GRL_COMPILER", str(mine))
    assert found("C compiler") == Finding("C compiler", True, "cc 13.2.0", "playing fast")
    mine.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    finding = found("C compiler")
    assert (finding.ok, finding.version, finding.required) == (False, "cc", False)
    assert "does not run" in (finding.advice or "")


def test_without_a_compiler_python_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRL_COMPILER", "none")
    finding = found("C compiler")
    assert not finding.ok
    assert finding.advice == (
        "GRL_COMPILER is 'none'; install one or pip install 'grl[fast]': "
        "the reference implementation in Python plays until then"
    )


def test_the_small_compiler_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRL_COMPILER", "tcc")
    if not compiler.compilers():
        pytest.skip("there is no tcc")
    assert (found("C compiler").version or "").startswith("tcc 0.9.")


def test_the_folder_of_compiled_models_is_looked_at(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("GRL_CACHE", str(tmp_path))
    folder = tmp_path / "grl-engines"
    assert (found("compiled models").ok, found("compiled models").version) == (True, str(folder))
    folder.chmod(0o777)
    finding = found("compiled models")
    assert (finding.ok, finding.required) == (False, False)
    assert finding.advice == (
        f"{folder}: others may write to it; set GRL_CACHE to a folder of your own: "
        "each run compiles until then"
    )
