"""Players at work in processes of their own: a few, which are kept, each with the models it met.

A search in the server's own process would keep others waiting, those of the same model most of
all. Here games think at the same time, as many as there are processes; the rest wait their turn. A
process that takes too much time or memory is ended, and who asks next gets another.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from multiprocessing import get_context
from typing import Any

from grl.board import Position
from grl.engine.engine import Engine
from grl.errors import GrlError
from grl.model import Model
from grl.players.analysis import Judged, analyse
from grl.players.interface import Answer
from grl.resources import bound_allocations
from grl.rulebook import Rulebook
from grl.serve.refusals import Refused
from grl.serve.seating import MOST_SECONDS, bounded, seconds_of

MOST = 3
"""Processes, and not more than there are processors; but two at least."""
HELD = 8
"""Models that a process keeps ready."""
MEMORY = 4 << 30
LATE = 60.0
"""Seconds that a player may take beyond its budget, to read and compile a model for instance."""
LOOK = 0.02
"""Seconds between two looks at whether anybody still waits for an answer."""


@dataclass(frozen=True)
class Task:
    """What is asked of a player: a turn where a game stands, or a judgement of all of them."""

    position: Position
    player: str
    """As `grl.serve.seating.Players` names it; nobody, to have the model made ready."""
    seed: int = 0
    judge: bool = False


class Thinkers:
    """The processes of a server, begun when they are first needed; `ahead` a little before."""

    def __init__(self, *, ahead: bool = False) -> None:
        self._ahead = ahead
        self._free: list[_Worker] = []
        self._lock = threading.Lock()
        self._places = threading.Semaphore(max(2, min(MOST, os.cpu_count() or 1)))
        self._prepared: set[str] = set()

    def choose(self, key: str, model: Model, task: Task, unwanted: Callable[[], bool]) -> Answer:
        """The turn that a player chooses in a model of this key; see `ask`."""
        found: Answer = self.ask(key, model, task, unwanted)
        return found

    def judge(
        self, key: str, model: Model, task: Task, unwanted: Callable[[], bool]
    ) -> list[Judged]:
        """What a player thinks of all turns; see `ask`."""
        found: list[Judged] = self.ask(key, model, replace(task, judge=True), unwanted)
        return found

    def ask(self, key: str, model: Model, task: Task, unwanted: Callable[[], bool]) -> Any:
        """What comes of a task, for which a player has its budget, or until it is `unwanted`.

        Raises `Refused` for one who takes longer, and whatever the player raises.
        """
        while not self._places.acquire(timeout=LOOK):
            if unwanted():
                raise Refused(409, "the game has gone on meanwhile")
        try:
            worker = self._worker(key)
            try:
                found = worker.ask(key, model, task, unwanted)
            except BaseException:
                worker.end()
                raise
            with self._lock:
                self._free.append(worker)
        finally:
            self._places.release()
        if isinstance(found, BaseException):
            raise found
        return found

    def prepare(self, key: str, model: Model) -> None:
        """Have a process read and compile a model that may be asked about soon, once."""
        if not self._ahead or key in self._prepared:
            return
        self._prepared.add(key)

        def ready() -> None:
            with suppress(Refused, GrlError, OSError):
                self.ask(key, model, Task(model.initial, ""), lambda: False)

        threading.Thread(target=ready, daemon=True).start()

    def _worker(self, key: str) -> _Worker:
        """One that is free, one that knows the model where there is one."""
        with self._lock:
            known = [each for each in self._free if key in each.known]
            if self._free:
                found = (known or self._free)[-1]
                self._free.remove(found)
                return found
        return _Worker()


@dataclass(eq=False)
class _Worker:
    """A process, as the server sees it."""

    known: OrderedDict[str, None] = field(default_factory=OrderedDict)

    def __post_init__(self) -> None:
        context = get_context("spawn")
        self._line, line = context.Pipe()
        self._process = context.Process(target=_work, args=(line,), daemon=True)
        self._process.start()
        line.close()

    def ask(self, key: str, model: Model, task: Task, unwanted: Callable[[], bool]) -> Any:
        """What the process answers, an error included."""
        new = key not in self.known
        self.known[key] = None
        self.known.move_to_end(key)
        if len(self.known) > HELD:
            self.known.popitem(last=False)
        asked = False
        try:
            self._line.send((key, model if new else None, task))
            allowed = seconds_of(task.player) if task.player else MOST_SECONDS
            end = time.monotonic() + allowed + LATE
            while not self._line.poll(LOOK):
                if time.monotonic() > end:
                    raise Refused(422, "the player took longer than it may, and was ended")
                if not asked and unwanted():
                    asked = True
                    self._line.send(None)
                    end = min(end, time.monotonic() + LATE / 10)
            return self._line.recv()
        except (EOFError, OSError):
            raise Refused(422, "the player ended before it had an answer") from None

    def end(self) -> None:
        """Be gone."""
        self._process.kill()
        self._process.join()
        self._line.close()


class _Ready:
    """A model in a process."""

    def __init__(self, model: Model) -> None:
        self.model = model

    @cached_property
    def engine(self) -> Engine:
        return Rulebook(self.model).engine()


def _work(line: Any) -> None:
    """The life of a process: tasks come, answers go, until the server is gone.

    What comes while a task is worked on says that nobody waits for it any more.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    bound_allocations(MEMORY)
    models: OrderedDict[str, _Ready] = OrderedDict()
    with suppress(EOFError, OSError):
        while True:
            come = line.recv()
            if come is None:  # too late: the answer was on its way
                continue
            key, model, task = come
            if model is not None:
                models[key] = _Ready(model)
            models.move_to_end(key)
            if len(models) > HELD:
                models.popitem(last=False)
            line.send(_answered(models[key], task, line.poll))


def _answered(ready: _Ready, task: Task, stop: Callable[[], bool]) -> Any:
    try:
        state = ready.engine.state(task.position)
        if not task.player:
            return None
        player = bounded(task.player, stop)
        assert player.agent is not None
        if task.judge:
            return analyse(ready.engine, state, player.agent, player.budget)
        return player.choose(ready.engine, state, task.seed)
    except MemoryError:
        return GrlError("the player takes more memory than there is")
    except GrlError as error:
        return error
    except Exception as error:
        return GrlError(f"an error of the player: {type(error).__name__}")
