"""LOCM of macq on a plan file; run by its own Python, where macq is installed.

macq looks at the first trace only, so the plans are laid end to end; the objects of each get names
of their own.
"""

from __future__ import annotations

import resource
import sys
import time
from pathlib import Path


def main(path: str) -> None:
    """Print the seconds and the peak memory in MB."""
    from macq.extract import Extract, modes
    from macq.observation import ActionObservation, ObservedTraceList
    from macq.trace import Action, PlanningObject, State, Step, Trace, TraceList

    steps: list[Step] = []
    for number, plan in enumerate(Path(path).read_text().split("\n\n")):
        for line in plan.split("\n"):
            if line.startswith("("):
                name, *args = line.strip("()").split()
                objects = [PlanningObject("object", f"{arg}-{number}") for arg in args]
                steps.append(Step(State({}), Action(name, objects), len(steps) + 1))
    began = time.perf_counter()
    observed = TraceList([Trace(steps)]).tokenize(
        Token=ActionObservation, ObsLists=ObservedTraceList
    )
    Extract(observed, modes.LOCM)
    seconds = time.perf_counter() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{seconds:.2f} {peak}")


if __name__ == "__main__":
    main(sys.argv[1])
