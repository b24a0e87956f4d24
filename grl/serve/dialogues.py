"""Dialogues on what records leave open: each in a folder, so that it goes on after a restart."""

from __future__ import annotations

import secrets
import shutil
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from grl.ask import Answer
from grl.ask.answers import read_plays, write_plays
from grl.inputs import read_bounded
from grl.outputs import write_whole
from grl.rulebook import load
from grl.serve import lessons
from grl.serve.jobs import Jobs
from grl.serve.messages import Answered, TalkView
from grl.serve.refusals import Refused
from grl.serve.shelf import Served, Shelf
from grl.turn import Turn

MOST = 100
"""Dialogues that are kept; the oldest one makes room."""
MOST_FILE = 16 << 20
FILE = "talk.json"


class Kept(msgspec.Struct):
    """A dialogue as its file has it: the model's id and name, records, and what is asked now."""

    id: str
    model: str
    name: str
    records: list[str]
    asked: Any = None
    passed: int = 0
    answered: int = 0
    changed: bool = False
    """Whether an answer has come since the model was learned last."""


@dataclass
class Talk:
    """A dialogue and its folder; whoever changes it holds its lock."""

    kept: Kept
    folder: Path
    job: str = ""
    """The work that leads to the next question, if any."""
    lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    @property
    def dialogue(self) -> lessons.Dialogue:
        """What a child process works with."""
        records = tuple(Path(record) for record in self.kept.records)
        return lessons.Dialogue(records, self.answers, self.model, self.kept.passed)

    @property
    def answers(self) -> Path:
        """The file of answers."""
        return self.folder / "answers.jsonl"

    @property
    def model(self) -> Path:
        """The file of the model that came of the answers so far."""
        return self.folder / "model.grl.json"

    def write(self) -> None:
        """Keep how far the dialogue is."""
        write_whole(self.folder / FILE, msgspec.json.encode(self.kept))


class Dialogues:
    """All dialogues of a server."""

    def __init__(self, folder: Path, shelf: Shelf, jobs: Jobs) -> None:
        self.folder, self.shelf, self.jobs = folder, shelf, jobs
        self._talks: dict[str, Talk] = {}
        found = [each for each in folder.glob("*") if (each / FILE).is_file()]
        for each in sorted(found, key=lambda path: (path / FILE).stat().st_mtime):
            try:
                kept = msgspec.json.decode(read_bounded(each / FILE, MOST_FILE), type=Kept)
            except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
                continue
            if kept.id == each.name:
                self._talks[kept.id] = Talk(kept, each)

    def list(self) -> list[TalkView]:
        """The dialogues, the last one first."""
        return [self.seen(talk) for talk in list(self._talks.values())[::-1]]

    def seen(self, talk: Talk) -> TalkView:
        """A dialogue for a page."""
        kept = talk.kept
        asked = None if kept.asked is None else kept.asked | self._more(talk)
        return TalkView(kept.id, kept.name, kept.model, kept.answered, asked, talk.job)

    def get(self, key: str) -> Talk:
        """The dialogue of an id; raises `Refused` where there is none."""
        found = self._talks.get(key)
        if found is None:
            raise Refused(404, f"there is no dialogue {key!r}")
        return found

    def begin(self, served: Served, records: Sequence[Path]) -> dict[str, Any]:
        """A new dialogue, with the work that leads to its first question."""
        key = secrets.token_hex(6)
        folder = self.folder / key
        folder.mkdir(mode=0o700)
        talk = Talk(Kept(key, served.id, served.name, [str(path) for path in records]), folder)
        write_whole(talk.model, served.path.read_bytes())
        talk.write()
        self._talks[key] = talk
        for old in list(self._talks)[:-MOST]:
            shutil.rmtree(self._talks.pop(old).folder, ignore_errors=True)
        return self.onward(talk)

    def onward(self, talk: Talk) -> dict[str, Any]:
        """The work that leads to the next question: a job."""

        def finish(found: dict[str, Any]) -> Any:
            with talk.lock:
                talk.kept.asked = None if found["over"] else found
                if talk.kept.changed:
                    added = self.shelf.add(load(talk.model), talk.kept.name)
                    talk.kept.model, talk.kept.changed = added.id, False
                talk.write()
            return found | self._more(talk)

        def tidy() -> None:
            talk.job = ""

        work = partial(lessons.question, talk.dialogue)
        job = self.jobs.begin("ask", f"ask about {talk.kept.name}", work, finish, tidy)
        talk.job = job.id
        return job.view() | {"talk": talk.kept.id}

    def _more(self, talk: Talk) -> dict[str, Any]:
        kept = talk.kept
        return {"talk": kept.id, "answered": kept.answered, "model": kept.model}

    def answer(self, talk: Talk, wanted: Answered) -> dict[str, Any]:
        """Keep an answer, and go on; a dialogue that was cut off before it had asked goes on too.

        Raises `Refused` where nothing is asked.
        """
        with talk.lock:
            if talk.kept.asked is None and (talk.job or not wanted.skip):
                raise Refused(409, "nothing is asked just now")
            if wanted.skip:
                talk.kept.passed += talk.kept.asked is not None
            else:
                self._note(talk, wanted)
            talk.kept.asked = None
            talk.write()
        return self.onward(talk)

    def _note(self, talk: Talk, wanted: Answered) -> None:
        """Add an answer to the file of answers."""
        rulebook = load(talk.model)
        here = rulebook.position(**talk.kept.asked["position"])
        if wanted.goals is None and not wanted.turns:
            raise Refused(422, "with no legal turn the game is over: say the goals")
        if wanted.goals is not None and set(wanted.goals) != set(rulebook.model.equipment.players):
            raise Refused(422, "expected a goal for each player")
        for turn in wanted.turns:
            Turn.parse(turn).effect(here)
        goals = None if wanted.goals is None else dict(wanted.goals)
        answer = Answer(here, () if goals is not None else tuple(wanted.turns), goals)  # type: ignore[arg-type]
        plays = read_plays(talk.answers)
        plays.append(answer.play(f"q{len(plays) + 1}"))
        write_plays(talk.answers, rulebook.model, plays)
        talk.kept.answered += 1
        talk.kept.changed = True
