"""Long work beside the page: in child processes with limits, stoppable, heard of meanwhile."""

from __future__ import annotations

import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from grl.children import Report
from grl.errors import GrlError, one_line
from grl.resources import Bounds, usable_memory
from grl.serve.refusals import Refused
from grl.supervise import supervised

Work = Callable[[Report[Any]], Any]
State = Literal["waiting", "running", "done", "stopped", "failed"]

AT_ONCE = 2
MOST_WAITING = 10
KEPT = 50
"""Jobs that are remembered, those that go on included."""
SECONDS = 1800.0
"""That a job may take."""
MEMORY = 4 << 30


@dataclass
class Job:
    """A piece of long work: how far it is, and at last what came of it."""

    kind: str
    says: str
    id: str = field(default_factory=lambda: secrets.token_hex(6))
    state: State = "waiting"
    stage: str = ""
    done: int = 0
    total: int | None = None
    best: Any = None
    result: Any = None
    error: str = ""
    began: float = field(default_factory=time.time)
    seconds: float = 0.0
    stopping: bool = False

    @property
    def open(self) -> bool:
        """Whether it waits or goes on."""
        return self.state in ("waiting", "running")

    @property
    def mark(self) -> object:
        """What differs as soon as the job has gone on."""
        return self.state, self.stage, self.done, self.total

    def view(self) -> dict[str, Any]:
        """The job for a page."""
        return {
            "id": self.id,
            "kind": self.kind,
            "says": self.says,
            "state": self.state,
            "stage": self.stage,
            "done": self.done,
            "total": self.total,
            "seconds": round(time.time() - self.began if self.open else self.seconds, 1),
            "best": self.best if self.open else None,
            "result": self.result,
            "error": self.error,
        }


class Jobs:
    """All jobs of a server, two of which go on at a time."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        memory = usable_memory()
        self._memory = MEMORY if memory is None else min(MEMORY, memory)
        self._turns = threading.Semaphore(AT_ONCE)
        self._lock = threading.Lock()
        self._jobs: OrderedDict[str, Job] = OrderedDict()

    def list(self) -> list[Job]:
        """The jobs, the last one first."""
        with self._lock:
            return list(self._jobs.values())[::-1]

    def get(self, key: str) -> Job:
        """The job of an id; raises `Refused` where there is none."""
        found = self._jobs.get(key)
        if found is None:
            raise Refused(404, f"there is no job {key!r}")
        return found

    def begin(
        self,
        kind: str,
        says: str,
        work: Work,
        finish: Callable[[Any], Any] = lambda found: found,
        tidy: Callable[[], None] = lambda: None,
    ) -> Job:
        """Have work done by a child; `finish` makes of its result what the page gets, and `tidy`
        is called in the end, whatever came of it.

        Raises `Refused` where too many wait.
        """
        job = Job(kind, one_line(says))
        with self._lock:
            if sum(each.open for each in self._jobs.values()) >= MOST_WAITING:
                raise Refused(429, "too much is being worked on; stop something, or wait")
            self._jobs[job.id] = job
            for old in [key for key, each in self._jobs.items() if not each.open][:-KEPT]:
                del self._jobs[old]
        threading.Thread(target=self._run, args=(job, work, finish, tidy), daemon=True).start()
        return job

    def stop(self, key: str) -> Job:
        """End a job; what it had at best so far stays."""
        job = self.get(key)
        job.stopping = True
        return job

    def _run(
        self, job: Job, work: Work, finish: Callable[[Any], Any], tidy: Callable[[], None]
    ) -> None:
        with self._turns:
            if job.stopping:
                tidy()
                job.state = "stopped"
                return
            job.state, job.began = "running", time.time()
            state: State = "failed"
            try:
                state = self._supervise(job, work, finish)
            except GrlError as error:
                job.error = str(error)
            except OSError as error:
                job.error = one_line(f"{error.strerror or error}")
            except Refused as error:
                job.error = error.message
            except Exception as error:
                job.error = f"an error of the program: {type(error).__name__}"
            finally:
                tidy()
                job.seconds = time.time() - job.began
                job.state = state

    def _supervise(self, job: Job, work: Work, finish: Callable[[Any], Any]) -> State:
        def heard(stage: str, done: int, total: int | None) -> None:
            job.stage, job.done, job.total = stage, done, total

        def kept(best: Any) -> None:
            job.best = best

        # This process has threads, and a copy of it would have their locks and not them.
        ended = supervised(
            work,
            Bounds(self._seconds, self._memory),
            progress=heard,
            kept=kept,
            stop=lambda: job.stopping,
            forks=False,
        )
        found = ended.best if ended.result is None else ended.result
        if ended.by in ("time", "memory"):
            limit = f"{self._seconds:g} s" if ended.by == "time" else f"{self._memory >> 20:,} MB"
            job.error = f"ended by its limit of {ended.by}, {limit}"
        if found is not None:
            job.result = finish(found)
        job.best = None
        if ended.result is not None:
            return "done"
        if job.stopping:
            return "stopped"
        job.error = job.error or "it was ended"
        return "failed"
