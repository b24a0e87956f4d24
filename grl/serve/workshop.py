"""The JSON interface, its second part: files, learning, dialogues, many games, logic."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from grl.ask.answers import read_plays, write_plays
from grl.export.kif import gdl_program
from grl.export.program import asp_program
from grl.players import AGENTS
from grl.players.evaluations import NAMES as EVALUATIONS
from grl.rulebook import load
from grl.serve import lessons, logic
from grl.serve.dialogues import Dialogues
from grl.serve.jobs import Job, Jobs
from grl.serve.messages import (
    Answered,
    Ask,
    Batch,
    Facts,
    JobView,
    Learn,
    NewGame,
    PlayersView,
    StrategyLine,
    TalkView,
)
from grl.serve.refusals import Refused, asked, content, said
from grl.serve.routes import Address
from grl.serve.thinking import Thinking
from grl.serve.uploads import MOST_BYTES, Upload, Uploads

UPLOAD_SECONDS = 300.0
LOOK, BEAT = 0.05, 1.0
"""Seconds between two looks at work that is followed, and between two events at most."""


async def _events(job: Job) -> AsyncIterator[bytes]:
    """What a page hears of a job."""
    sent, last = None, 0.0
    while True:
        goes_on, mark, now = job.open, job.mark, time.monotonic()
        if mark != sent or now - last >= BEAT:
            sent, last = mark, now
            yield b"data: " + msgspec.json.encode(job.view()) + b"\n\n"
        if not goes_on:
            return
        await anyio.sleep(LOOK)


class Workshop:
    """Who answers; new models go to the shelf."""

    def __init__(self, thinking: Thinking, uploads: Uploads, jobs: Jobs, folder: Path) -> None:
        self.thinking, self.uploads, self.jobs = thinking, uploads, jobs
        self.tables, self.shelf = thinking.tables, thinking.tables.shelf
        self.dialogues = Dialogues(folder, self.shelf, jobs)

    def addresses(self) -> list[Address]:
        """All addresses."""
        game, job = "/games/{game}", "/jobs/{job}"
        return [
            Address("GET", "/uploads", self.list_uploads, "Files that were uploaded"),
            Address(
                "POST", "/uploads", self.upload, "Upload a file", raw=True, query=("name",)
            ),
            Address("GET", "/players", self.players, "Who can play", gives=PlayersView),
            Address("GET", "/jobs", self.list_jobs, "Long work"),
            Address("GET", job, self.job, "How far long work is", gives=JobView),
            Address(
                "GET", f"{job}/events", self.events, "Long work as it goes on",
                gives=JobView, streams=True,
            ),
            Address("DELETE", job, self.stop, "Stop long work", gives=JobView),
            Address("POST", "/learn", self.learn, "Learn from uploads", Learn, JobView),
            Address("POST", "/batch", self.batch, "Play many games", Batch, JobView),
            Address("GET", "/ask", self.talks, "Dialogues", gives=list[TalkView]),
            Address("POST", "/ask", self.ask, "Begin a dialogue", Ask, JobView),
            Address("GET", "/ask/{talk}", self.talk, "A dialogue as it stands", gives=TalkView),
            Address("POST", "/ask/{talk}", self.answer, "Answer a question", Answered, JobView),
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
        """Records in a notation that grl import reads, an ILASP task, a strategy, or a model: its
        name says which."""
        name = request.query_params.get("name", "")
        raw = await content(request, MOST_BYTES, UPLOAD_SECONDS)
        return said(await self._do(lambda: self._uploaded(name, raw)))

    def _uploaded(self, name: str, raw: bytes) -> Any:
        line = self.uploads.add(name, raw)
        if line.kind != "model":
            return line
        rulebook = load(self.uploads.path(line))
        return {"kind": "model", "model": self.shelf.add(rulebook, rulebook.model.game).id}

    async def players(self, _: Request) -> Response:
        """The names of players, the evaluations that they may have, and strategies."""
        found = [
            StrategyLine(f"strategy:{line.id}", line.name)
            for line in self.uploads.list()
            if line.kind == "strategy"
        ]
        return said(PlayersView([*AGENTS], [*EVALUATIONS], found))

    # Jobs -------------------------------------------------------------------------------------

    async def list_jobs(self, _: Request) -> Response:
        """Jobs without their results, the last one first."""
        return said([job.view() | {"result": None, "best": None} for job in self.jobs.list()])

    async def job(self, request: Request) -> Response:
        """State, progress, the best so far, and the result in the end."""
        return said(self.jobs.get(request.path_params["job"]).view())

    async def events(self, request: Request) -> Response:
        """Server-sent events, each of them the work as `/jobs/{job}` has it: one at once, one with
        whatever changes, once a second at least, and one when it has ended, which is the last."""
        job = self.jobs.get(request.path_params["job"])
        return StreamingResponse(_events(job), media_type="text/event-stream")

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
        if any(line.kind == "strategy" for line in lines):
            raise Refused(422, "a strategy is a player; nothing is learned from it")
        if not wanted.beside and any(line.kind == "coordinates" for line in lines):
            raise Refused(422, "moves in coordinates say no board: choose a model of it, beside")
        beside = self.shelf.get(wanted.beside).path if wanted.beside else None
        folder = Path(tempfile.mkdtemp(dir=self.uploads.folder, prefix="lesson-"))
        sources = [self._source(line, wanted.game) for line in lines]
        work = partial(lessons.taught, sources, folder, beside)
        return self.jobs.begin(
            "learn",
            f"learn from {names}",
            work,
            self._shelved,
            partial(shutil.rmtree, folder, ignore_errors=True),
        ).view()

    def _source(self, line: Upload, game: str = "") -> lessons.Source:
        return lessons.Source(line.kind, self.uploads.path(line), line.name, game)

    def _shelved(self, found: dict[str, Any]) -> Any:
        rulebook = load(found.pop("path"))
        return found | {"model": self.shelf.add(rulebook, rulebook.model.game).id}

    async def batch(self, request: Request) -> Response:
        """A job: games between two players, each opening from both sides."""
        wanted = await asked(request, Batch)
        return said(await self._do(lambda: self._batch(wanted)))

    def _batch(self, wanted: Batch) -> Any:
        served = self.shelf.get(wanted.model)
        one, other = wanted.players
        named = [self.tables.players.named(spec) for spec in wanted.players]
        series = lessons.Series(
            served.path,
            (one, other),
            named,
            wanted.games,
            wanted.opening,
            wanted.plies,
            wanted.seed,
        )
        says = f"{wanted.games} games of {served.name}: {one} and {other}"
        return self.jobs.begin("batch", says, partial(lessons.batch, series)).view()

    # Dialogues --------------------------------------------------------------------------------

    async def talks(self, _: Request) -> Response:
        """The dialogues, the last one first, each with what it asks now."""
        return said(await self._do(self.dialogues.list))

    async def ask(self, request: Request) -> Response:
        """A job whose result is the first question; `talk` is the dialogue's id."""
        wanted = await asked(request, Ask)
        return said(await self._do(lambda: self._ask(wanted)))

    def _ask(self, wanted: Ask) -> Any:
        served = self.shelf.get(wanted.model)
        lines = [self.uploads.get(key) for key in wanted.uploads]
        if any(line.kind != "traces" for line in lines):
            raise Refused(422, "a dialogue begins from trace files")
        return self.dialogues.begin(served, [self.uploads.path(line) for line in lines])

    async def talk(self, request: Request) -> Response:
        """What is asked, or the job that leads to the next question; both are empty where the
        server was ended on the way, or nothing is left to ask: passing over goes on."""
        key = request.path_params["talk"]
        return said(await self._do(lambda: self.dialogues.seen(self.dialogues.get(key))))

    async def answer(self, request: Request) -> Response:
        """The answer is kept, and a job learns from it and asks on."""
        wanted = await asked(request, Answered)
        talk = self.dialogues.get(request.path_params["talk"])
        return said(await self._do(lambda: self.dialogues.answer(talk, wanted)))

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
            judged = self.thinking.judged(table, spec, 20, None)["turns"]
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
