"""What may not come of a run, whatever its input."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from fuzzing.cases import Case
from fuzzing.sandbox import Run, finished, start

STATUSES = (0, 1, 2, 130)
NO_READER = (-13, 141)
"""SIGPIPE, as the system and as a shell reports it."""
LINE = 300
CRASHES = (b"Traceback", b"Exception ignored", b"Fatal Python", b"Segmentation", b"leaked")

Files = dict[str, bytes | None]


@dataclass(frozen=True)
class Result:
    """A case that was run, and what is wrong with what came of it: nothing, if all is well."""

    number: int
    case: Case
    run: Run
    wrong: tuple[str, ...]


def tried(number: int, case: Case, folder: Path, keep: Path | None = None) -> Result:
    """Run a case in `folder`, which is made and removed; what failed is copied to `keep`."""
    shutil.rmtree(folder, ignore_errors=True)
    place, streams = folder / "place", folder / "streams"
    for part in (place, place / "folder", streams):
        part.mkdir(parents=True)
    (place / "loop").symlink_to("loop")
    _lay(case, place)
    before = _seen(place)
    run = finished(start(case.start, place, streams), streams)
    result = Result(number, case, run, tuple(wrong(case, run, before, _seen(place))))
    if result.wrong and keep is not None:
        _keep(result, keep / str(number))
    shutil.rmtree(folder, ignore_errors=True)
    return result


def _lay(case: Case, place: Path) -> None:
    for name, content in case.files:
        (place / name).write_bytes(content)
    for how, name in case.links:
        if how == "link":
            (place / f"link-{name}").symlink_to(name)
        else:
            os.link(place / name, place / f"link-{name}")


def _seen(place: Path) -> Files:
    """Every file below a folder with its content; None for what is none."""
    found: Files = {}
    for folder, folders, names in os.walk(place):
        for name in (*folders, *names):
            path = Path(folder) / name
            found[str(path.relative_to(place))] = path.read_bytes() if path.is_file() else None
    return found


def wrong(case: Case, run: Run, before: Files, after: Files) -> Iterator[str]:
    """What is wrong with a run that found files and left others; None stands for a folder."""
    if run.stopped:
        yield run.stopped
    elif run.status not in STATUSES and not (case.stdout == "pipe" and run.status in NO_READER):
        yield f"exit status {run.status}"
    for crash in CRASHES:
        if crash in run.err or crash in run.out:
            yield crash.decode().lower()
    yield from _lines(run, lists=bool({"--skip-bad", "import"} & {*case.argv}))
    if run.left:
        yield f"{run.left} processes left"
    yield from _files(case, run, before, after)


def _lines(run: Run, *, lists: bool) -> Iterator[str]:
    """What is wrong on standard error; `lists`: flaws of records may stand before the error."""
    try:
        lines = run.err.decode().removesuffix("\n").split("\n")
    except UnicodeDecodeError:
        yield "standard error is not UTF-8"
        return
    # The library of fonts has its say on the machine's settings, whoever draws.
    lines = [line for line in lines if not line.startswith("Fontconfig ")]
    alone = len(lines) == 1 or lists
    if run.status == 2 and not run.stopped and not (alone and lines[-1].startswith("grl: ")):
        yield f"status 2 with {len(lines) if lines != [''] else 0} lines of error"
    if any(len(line) > LINE for line in lines):
        yield "a long line of error"
    if not all(line.isprintable() for line in lines):
        yield "control characters in an error"


def _files(case: Case, run: Run, before: Files, after: Files) -> Iterator[str]:
    named = {word.partition("/")[0] for word in (*case.written, *case.argv)}
    fresh = [name for name in after if name not in before and name.partition("/")[0] not in named]
    if any(Path(name).name.startswith(".") for name in after if name not in before):
        yield "a temporary file left"
    elif fresh and not run.stopped:
        yield f"a stray file {fresh[0]!r}"
    for name, content in before.items():
        if name not in after:
            yield f"{name!r} is gone"
        elif after[name] != content and name not in (*case.written, *case.changed, "loop"):
            yield f"the input {name!r} was changed"
    for name in case.written:
        old, new = before.get(name), after.get(name)
        if (
            run.status == 2
            and case.stdout == "file"
            and new != old
            and "." in name
            and name not in case.changed
        ):
            yield f"the output {name!r} was written in spite of an error"
        if new is not None and new != old and not _whole(name, new):
            yield f"the output {name!r} is not whole"


def _whole(name: str, content: bytes) -> bool:
    """Whether a written file looks complete."""
    if name.endswith(".gz"):
        import gzip

        try:
            content = gzip.decompress(content)
        except (OSError, EOFError):
            return False
    if name.endswith((".jsonl", ".json", ".lp", ".las", ".pddl")):
        return content.endswith(b"\n") or not content
    return True


def _keep(result: Result, folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "files").mkdir(parents=True)
    case, run = result.case, result.run
    for name, content in case.files:
        (folder / "files" / name).write_bytes(content)
    lines = [
        f"case {result.number}: {'; '.join(result.wrong)}",
        f"argv {list(case.argv)!r}",
        f"stdin {case.stdin!r}"[:2000],
        f"stdout {case.stdout}, environment {case.environment}, links {case.links}",
        f"new interpreter {case.fresh}",
        f"status {run.status}, {run.seconds:.2f} s, {run.memory / 2**20:.0f} MiB, left {run.left}",
        "",
        *run.err.decode("utf-8", "backslashreplace")[-6000:].splitlines(),
        "",
        *run.out.decode("utf-8", "backslashreplace")[-1000:].splitlines(),
    ]
    (folder / "case.txt").write_text("\n".join(lines) + "\n", errors="backslashreplace")
