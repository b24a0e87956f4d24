"""The JSON interface, its second part: files, learning, dialogues, many games, logic."""

from __future__ import annotations

import shutil
import tempfile
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import anyio
from starlette.requests import Request
from starlette.responses import Response

from grl.ask import Answer
from grl.ask.answers import read_plays, write_plays
from grl.export.kif import gdl_program
from grl.export.program import asp_program
from grl.outputs import write_whole
from grl.rulebook import load
from grl.serve import lessons, logic, thinking
from grl.serve.jobs import Jobs
from grl.serve.messages import Answered, Ask, Batch, Facts, Learn, NewGame
from grl.serve.refusals import Refused, asked, content, said
from grl.serve.routes import Address
from grl.serve.shelf import Shelf
from grl.serve.tables import Tables
from grl.serve.uploads import MOST_BYTES, Upload, Uploads
from grl.turn import Turn

UPLOAD_SECONDS = 300.0


@dataclass
class Talk:
    """A dialogue: what it works with, its jobs, and the model that came of it so far."""

    dialogue: lessons.Dialogue
    model: str
    name: str
    folder: Path
    asked: Any = None
    answered: int = 0
    changed: bool = False
    lock: threading.Lock = field(default_factory=threading.Lock, repr=False)


class Workshop:
    """Who answers; new models go to the shelf."""

    def __init__(self, shelf: Shelf, tables: Tables, uploads: Uploads, jobs: Jobs) -> None:
        self.shelf, self.tables, self.uploads, self.jobs = shelf, tables, uploads, jobs
        self._talks: dict[str, Talk] = {}

    def addresses(self) -> list[Address]:
        """All addresses."""
        game, job = "/games/{game}", "/jobs/{job}"
        return [
            Address("GET", "/uploads", self.list_uploads, "Files that were uploaded"),
            Address(
                "POST", "/uploads", self.upload, "Upload a file", raw=True, query=("name",)
            ),
            Address("GET", "/jobs", self.list_jobs, "Long work"),
            Address("GET", job, self.job, "How far long work is"),
            Address("DELETE", job, self.stop, "Stop long work"),
            Address("POST", "/learn", self.learn, "Learn from uploads", Learn),
            Address("POST", "/batch", self.batch, "Play many games", Batch),
            Address("POST", "/ask", self.ask, "Begin a dialogue", Ask),
            Address("POST", "/ask/{talk}", self.answer, "Answer a question", Answered),
            Address("GET", f"{game}/export", self.export, "A game as text", query=("to", "player")),
            Address("POST", f"{game}/record", self.record, "Record a game"),
            Address("POST", "/facts", self.facts, "A game from facts", Facts),
            Address(
                "GET", "/models/{model}/program", self.program, "The rules as a program",
                query=("to",),
            ),
        ]  # fmt: skip

    async def _do(self, work: Callable[[], Any]) -> Any:
        return await anyio.to_thread.run_sync(work)

    # Files ------------------------------------------------------------------------------------

    async def list_uploads(self, _: Request) -> Response:
        """Files, and games that were recorded here, the last one first."""
        return said(self.uploads.list())

    async def upload(self, request: Request) -> Response:
        """A trace file, PGN, PDN, ACF, an ILASP task, or a model; what it is, its name says."""
        name = request.query_params.get("name", "")
        raw = await content(request, MOST_BYTES, UPLOAD_SECONDS)
        return said(await self._do(lambda: self._uploaded(name, raw)))

    def _uploaded(self, name: str, raw: bytes) -> Any:
        line = self.uploads.add(name, raw)
        if line.kind != "model":
            return line
        rulebook = load(self.uploads.path(line))
        return {"kind": "model", "model": self.shelf.add(rulebook, rulebook.model.game).id}

    # Jobs -------------------------------------------------------------------------------------

    async def list_jobs(self, _: Request) -> Response:
        """Jobs without their results, the last one first."""
        return said([job.view() | {"result": None, "best": None} for job in self.jobs.list()])

    async def job(self, request: Request) -> Response:
        """State, progress, the best so far, and the result in the end."""
        return said(self.jobs.get(request.path_params["job"]).view())

    async def stop(self, request: Request) -> Response:
        """What the work has at best so far stays."""
        return said(self.jobs.stop(request.path_params["job"]).view())

    async def learn(self, request: Request) -> Response:
        """A job whose result is a new model and what is new in it; or an ILASP task's solution."""
        wanted = await asked(request, Learn)
        return said(await self._do(lambda: self._learn(wanted)))

    def _learn(self, wanted: Learn) -> Any:
        lines = [self.uploads.get(key) for key in wanted.uploads]
        names = ", ".join(line.name for line in lines)
        if any(line.kind == "las" for line in lines):
            if len(lines) > 1:
                raise Refused(422, "an ILASP task is solved alone")
            work = partial(lessons.solved, self._source(lines[0]))
            return self.jobs.begin("task", f"solve {names}", work).view()
        beside = self.shelf.get(wanted.beside).path if wanted.beside else None
        folder = Path(tempfile.mkdtemp(dir=self.uploads.folder, prefix="lesson-"))
        work = partial(lessons.taught, [self._source(line) for line in lines], folder, beside)
        return self.jobs.begin(
            "learn",
            f"learn from {names}",
            work,
            self._shelved,
            partial(shutil.rmtree, folder, ignore_errors=True),
        ).view()

    def _source(self, line: Upload) -> lessons.Source:
        return lessons.Source(line.kind, self.uploads.path(line), line.name)

    def _shelved(self, found: dict[str, Any]) -> Any:
        rulebook = load(found.pop("path"))
        return found | {"model": self.shelf.add(rulebook, rulebook.model.game).id}

    async def batch(self, request: Request) -> Response:
        """A job: games between two players, each opening from both sides."""
        wanted = await asked(request, Batch)
        return said(await self._do(lambda: self._batch(wanted)))

    def _batch(self, wanted: Batch) -> Any:
        served = self.shelf.get(wanted.model)
        for spec in wanted.players:
            thinking.bounded(spec)
        one, other = wanted.players
        series = lessons.Series(
            served.path, (one, other), wanted.games, wanted.opening, wanted.plies, wanted.seed
        )
        says = f"{wanted.games} games of {served.name}: {one} and {other}"
        return self.jobs.begin("batch", says, partial(lessons.batch, series)).view()

    # Dialogues --------------------------------------------------------------------------------

    async def ask(self, request: Request) -> Response:
        """A job whose result is the first question; `talk` is the dialogue's id."""
        wanted = await asked(request, Ask)
        return said(await self._do(lambda: self._ask(wanted)))

    def _ask(self, wanted: Ask) -> Any:
        served = self.shelf.get(wanted.model)
        lines = [self.uploads.get(key) for key in wanted.uploads]
        if any(line.kind != "traces" for line in lines):
            raise Refused(422, "a dialogue begins from trace files")
        folder = Path(tempfile.mkdtemp(dir=self.uploads.folder, prefix="talk-"))
        model = folder / "model.grl.json"
        write_whole(model, served.path.read_bytes())
        records = tuple(self.uploads.path(line) for line in lines)
        dialogue = lessons.Dialogue(records, folder / "answers.jsonl", model)
        key = folder.name.removeprefix("talk-")
        self._talks[key] = Talk(dialogue, served.id, served.name, folder)
        return self._question(key)

    def _question(self, key: str) -> Any:
        talk = self._talks[key]

        def finish(found: dict[str, Any]) -> Any:
            with talk.lock:
                talk.asked = None if found["over"] else found
                if talk.changed:
                    talk.model = self.shelf.add(load(talk.dialogue.model), talk.name).id
                    talk.changed = False
            return found | {"talk": key, "answered": talk.answered, "model": talk.model}

        work = partial(lessons.question, talk.dialogue)
        return self.jobs.begin("ask", f"ask about {talk.name}", work, finish).view() | {"talk": key}

    async def answer(self, request: Request) -> Response:
        """The answer is kept, and a job learns from it and asks on."""
        wanted = await asked(request, Answered)
        return said(await self._do(lambda: self._answer(request.path_params["talk"], wanted)))

    def _answer(self, key: str, wanted: Answered) -> Any:
        talk = self._talks.get(key)
        if talk is None:
            raise Refused(404, f"there is no dialogue {key!r}")
        with talk.lock:
            if talk.asked is None:
                raise Refused(409, "nothing is asked just now")
            if wanted.skip:
                talk.dialogue = replace(talk.dialogue, passed=talk.dialogue.passed + 1)
            else:
                self._note(talk, wanted)
            talk.asked = None
        return self._question(key)

    def _note(self, talk: Talk, wanted: Answered) -> None:
        """Add an answer to the file of answers."""
        rulebook = load(talk.dialogue.model)
        where = talk.asked["position"]
        here = rulebook.position(**where)
        if wanted.goals is None and not wanted.turns:
            raise Refused(422, "with no legal turn the game is over: say the goals")
        if wanted.goals is not None and set(wanted.goals) != set(rulebook.model.equipment.players):
            raise Refused(422, "expected a goal for each player")
        for turn in wanted.turns:
            Turn.parse(turn).effect(here)
        goals = None if wanted.goals is None else dict(wanted.goals)
        answer = Answer(here, () if goals is not None else tuple(wanted.turns), goals)  # type: ignore[arg-type]
        plays = read_plays(talk.dialogue.answers)
        plays.append(answer.play(f"q{len(plays) + 1}"))
        write_plays(talk.dialogue.answers, rulebook.model, plays)
        talk.answered += 1
        talk.changed = True

    # Logic ------------------------------------------------------------------------------------

    async def export(self, request: Request) -> Response:
        """A position or a game, by `to`: asp, asp-game, ilasp, orderings, pddl-domain,
        pddl-problem or traces; orderings are those of a `player`."""
        kind = request.query_params.get("to", "")
        spec = request.query_params.get("player", "swift:seconds=1")
        key = request.path_params["game"]
        if kind not in logic.ENDINGS:
            raise Refused(422, f"expected to= one of {', '.join(logic.ENDINGS)}")
        text = await self._do(lambda: self._exported(key, kind, spec))
        name = f"{key}-{kind}.{logic.ENDINGS[kind]}"
        headers = {"content-disposition": f'attachment; filename="{name}"'}
        return Response(text.encode(), media_type="text/plain; charset=utf-8", headers=headers)

    def _exported(self, key: str, kind: str, spec: str) -> str:
        with self.tables.held(key) as table:
            pass
        if kind == "orderings":
            judged = thinking.judged(table, spec, 20, None)["turns"]
            with table.lock, table.served.using:
                return logic.orderings(table, judged)
        with table.lock, table.served.using:
            served, position = table.served, table.position
            if kind == "asp":
                return logic.position_facts(served, position)
            if kind == "asp-game":
                return logic.game_facts(table)
            if kind == "ilasp":
                return logic.examples(table)
            if kind == "traces":
                return logic.trace_file(table)
            return logic.planning(served, position)[kind == "pddl-problem"]

    async def record(self, request: Request) -> Response:
        """Add a game to the trace file of its model's games, which can be learned from."""
        return said(await self._do(lambda: self._record(request.path_params["game"])))

    def _record(self, key: str) -> Any:
        with self.tables.held(key) as table:
            if not table.kept.ply:
                raise Refused(409, "nothing was played yet")
            model = table.served.rulebook.model
            line = self.uploads.recorded(table.served.id, model.game)
            path = self.uploads.path(line)
            plays = read_plays(path)
            name = f"{key}-{table.kept.ply}"
            if all(play.get("id") != name for play in plays):
                plays.append(logic.record(table, name))
            write_plays(path, model, plays)
            self.uploads.grown(line)
            return {"upload": line, "games": len(plays)}

    async def facts(self, request: Request) -> Response:
        """A game that begins where facts say, with the turns that they say or lead to; `note` says
        where the model doesn't agree."""
        wanted = await asked(request, Facts)

        def begun() -> Any:
            served = self.shelf.get(wanted.model)
            with served.using:
                setup, turns, note = logic.read_facts(served, wanted.text)
            table = self.tables.begin(NewGame(wanted.model, setup, turns=turns))
            with self.tables.changing(table.kept.id) as again:
                again.kept.ply = 0
            with self.tables.held(table.kept.id) as again:
                return {"game": again.seen(), "note": note}

        return said(await self._do(begun))

    async def program(self, request: Request) -> Response:
        """The whole model as an answer set program, or with to=gdl in GDL."""
        served = await self._do(lambda: self.shelf.get(request.path_params["model"]))
        write = gdl_program if request.query_params.get("to") == "gdl" else asp_program
        text = await self._do(lambda: write(served.rulebook.model))
        return Response(text.encode(), media_type="text/plain; charset=utf-8")
