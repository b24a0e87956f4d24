"""``make pictures``: what the page looks like, for docs and README.

Serves the games that `make demo` learned (it is run first where there are none) from a folder of
its own, plays a little in a headless Chromium, and keeps pictures in docs/images.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images"
DEMO = ROOT / "demo"
sys.path.insert(0, str(ROOT / "tests" / "serve"))


def main() -> int:
    driving: Any = import_module("browser")
    try:
        driving.programs()
    except BaseException as error:  # pytest's way of skipping is no Exception
        print(error, file=sys.stderr)
        return 2
    if not list(DEMO.glob("*/model.grl.json")):
        subprocess.run([sys.executable, str(ROOT / "benchmarks" / "demo.py")], check=True)

    @contextmanager
    def page(address: str, wide: int, high: int, zoom: float) -> Iterator[Any]:
        browser = driving.Browser(address, wide=wide, high=high, zoom=zoom)
        try:
            yield browser
        finally:
            browser.close()

    def keep(browser: Any, name: str) -> None:
        path = IMAGES / f"page-{name}.png"
        browser.driver.save_screenshot(str(path))
        print(f"{path.relative_to(ROOT)}: {path.stat().st_size // 1000} kB")

    with (
        tempfile.TemporaryDirectory() as own,
        driving.served(DEMO, Path(own), (ROOT / "traces",)) as address,
        page(address, 1240, 1010, 1.25) as browser,
    ):
        for name, show in SHOWN.items():
            show(browser)
            keep(browser, name)
    return 0


def play(browser: Any) -> None:
    """A capture in checkers, letter by letter, its automaton beside the board."""
    begin(browser, "checkers", "c3-d4 b6-c5 d4-b6 a7-c5 e3-d4")
    browser.click("#tab-automata")
    browser.click(".tools input[type=checkbox]")
    for square in ("c5", "d4"):
        browser.square(square)
    browser.until(lambda: browser.all(".picture.live .state.lit"))


def rules(browser: Any) -> None:
    """A turn that is refused, and the rulebook with an example."""
    browser.press("\ue00c")
    browser.click(".tools input[type=checkbox]")
    browser.click("#tab-rules")
    browser.until(lambda: browser.all(".rules li.here summary"))
    browser.all(".rules li.here summary")[1].click()
    browser.until(lambda: len(browser.all(".rules li .pair svg")) == 2)
    browser.drag("b8", "a7")
    browser.until(lambda: browser.all(".reason.no"))


def sentence(browser: Any) -> None:
    """All that a sentence is about on the board."""
    begin(browser, "checkers", "c3-d4 b6-c5 d4-b6 a7-c5 e3-d4")
    browser.click("#tab-rules")
    browser.until(lambda: browser.all(".rules li.here .count"))[1].click()
    browser.until(lambda: browser.all("#board .over .head.good"))


def analysis(browser: Any) -> None:
    """Nine men's morris, on linked points, judged by a player."""
    begin(browser, "nine-mens-morris", "d2 d6 f4 b4 d3 d5 c4 e4 a1 g7 a7")
    browser.click("#tab-analysis")
    browser.until(lambda: browser.all(".variations li"))


def teach(browser: Any) -> None:
    """A lesson of breakthrough, compared with the model that is there."""
    browser.model("breakthrough")
    browser.click('[data-page="teach"]')
    browser.until(lambda: browser.all("#page-teach .offered label"))
    for label in browser.all("#page-teach .offered label"):
        if "breakthrough" in label.text:
            label.click()
    browser.click("#learn")
    browser.until(lambda: browser.all("#changes"))
    browser.run("scrollTo(0, 0)")


def batch(browser: Any) -> None:
    """Forty games of Connect Four."""
    browser.model("connect-four")
    browser.click('[data-page="batch"]')
    for selector, value in (
        ("#one", "uct:nodes=300"),
        ("#other", "mtdf:depth=2"),
        ("#count", "40"),
    ):
        browser.one(selector).clear()
        browser.one(selector).send_keys(value)
    browser.click("#run")
    browser.until(lambda: browser.all("#batch-result details"))


def begin(browser: Any, game: str, turns: str) -> None:
    """Open a game of a model in which turns, in short notation, were played."""
    found = browser.driver.execute_async_script(
        """const [name, turns, done] = arguments;
        const option = [...document.querySelectorAll("#models option")]
          .find((each) => each.textContent === name);
        fetch("/api/games", {method: "POST", headers: {"content-type": "application/json"},
          body: JSON.stringify({model: option.value, turns})}).then((r) => r.json()).then(done);""",
        game,
        turns.split(),
    )
    if "error" in found:
        raise ValueError(found["error"])
    browser.open(f"play/{found['id']}")
    browser.settled(len(turns.split()))


SHOWN = {
    "play": play,
    "rules": rules,
    "sentence": sentence,
    "analysis": analysis,
    "teach": teach,
    "batch": batch,
}


if __name__ == "__main__":
    sys.exit(main())
