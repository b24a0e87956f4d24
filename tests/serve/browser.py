"""A headless Chromium that is installed on this machine, driven over WebDriver."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import pytest
import uvicorn

from grl.serve.app import application, house
from grl.serve.guard import Door

T = TypeVar("T")

CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PATIENCE = 20.0


def programs() -> tuple[str, str]:
    """Chromium and its driver; the test is skipped where there is none."""
    browser = next(filter(None, map(shutil.which, CHROMIUMS)), None)
    drives = shutil.which("chromedriver")
    if browser is None or drives is None:
        pytest.skip("no Chromium with chromedriver: apt-get install chromium chromium-driver")
    return browser, drives


@contextlib.contextmanager
def served(models: Path, own: Path, records: tuple[Path, ...] = ()) -> Iterator[str]:
    """The address of a server of models, which ends with the block."""
    listening = socket.create_server(("127.0.0.1", 0))
    app = application(house([models], own, records), Door())
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="off"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/"
    finally:
        server.should_exit = True
        thread.join(10)
        listening.close()


class State(NamedTuple):
    """Where a game stands, which squares are lit, and whether buttons offer a choice."""

    ply: int
    lit: set[str]
    choices: bool


class Browser:
    """A page, and what tests do with it."""

    def __init__(
        self, address: str, *, wide: int = 1200, high: int = 1000, zoom: float = 1
    ) -> None:
        from selenium import webdriver

        browser, drives = programs()
        options = webdriver.ChromeOptions()
        options.binary_location = browser
        arguments = [
            "--headless=new", "--disable-dev-shm-usage", "--hide-scrollbars",
            f"--window-size={wide},{high}", f"--force-device-scale-factor={zoom:g}",
            "--force-prefers-reduced-motion",
        ]  # fmt: skip
        if hasattr(os, "getuid") and os.getuid() == 0:
            arguments.append("--no-sandbox")
        for argument in arguments:
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})  # type: ignore[attr-defined]
        self.driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(drives))
        self.address = address
        self.open("")

    def close(self) -> None:
        self.driver.quit()

    def open(self, where: str) -> None:
        """A page by its name after the #, loaded anew."""
        self.driver.get("about:blank")
        self.driver.get(self.address + (f"#{where}" if where else ""))
        self.until(lambda: self.run("return document.documentElement.dataset.ready === 'true'"))

    def run(self, script: str, *arguments: object) -> Any:
        return self.driver.execute_script(script, *arguments)

    def until(self, found: Callable[[], T]) -> T:
        """What `found` returns as soon as it is true; fails after a while."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            value = found()
            if value:
                return value
            time.sleep(0.02)
        raise AssertionError(f"not within {PATIENCE} s; the page says {self.problem()!r}")

    def problem(self) -> str:
        """What the page complains of."""
        return str(self.run("return document.getElementById('problem').textContent"))

    def all(self, selector: str) -> list[Any]:
        return list(self.driver.find_elements("css selector", selector))

    def one(self, selector: str) -> Any:
        return self.until(lambda: self.all(selector))[0]

    def click(self, selector: str) -> None:
        self.one(selector).click()

    def choose(self, selector: str, value: str) -> None:
        """Take an option of a select by its text or its value."""
        from selenium.webdriver.support.ui import Select

        select = Select(self.one(selector))
        if any(option.text == value for option in select.options):
            select.select_by_visible_text(value)
        else:
            select.select_by_value(value)

    def model(self, name: str) -> None:
        """Begin a game of a model, by its name in the list."""
        before = self.run("return document.getElementById('page-play').dataset.game")
        if self.one("#models option:checked").text == name:
            self.click("#new")
        else:
            self.choose("#models", name)
        self.until(lambda: self.driver.title.startswith(f"{name} "))
        self.until(
            lambda: before != self.run("return document.getElementById('page-play').dataset.game")
        )
        self.settled(0)

    def settled(self, ply: int) -> None:
        """Wait until the game stands at a ply."""
        self.until(lambda: self.ply() == ply)

    def ply(self) -> int:
        """Where the game stands; -1 where there is none yet."""
        return int(self.run("return document.getElementById('page-play').dataset.ply ?? -1"))

    def lit(self) -> set[str]:
        """The squares on which the turn can begin, go on or end."""
        return self.state().lit

    def state(self) -> State:
        """How far the game and the turn are."""
        ply, lit, choices = self.run(
            "return [Number(document.getElementById('page-play').dataset.ply ?? -1),"
            "[...document.querySelectorAll('#board [aria-label]')]"
            ".filter(e => / turn/.test(e.getAttribute('aria-label')))"
            ".map(e => e.dataset.square),"
            "document.querySelectorAll('.choices:not([hidden]) button').length > 0]"
        )
        return State(ply, set(lit), choices)

    def square(self, name: str) -> None:
        """Click a square as a mouse does: where a piece lies on it, too."""
        self.driver.find_element("css selector", f'#board [data-square="{name}"]').click()
        self.quiet()

    def quiet(self) -> None:
        """Wait until the page waits for nobody."""
        self.until(lambda: not self.run("return document.getElementById('page-play').dataset.busy"))

    def drag(self, start: str, end: str) -> None:
        from selenium.webdriver.common.action_chains import ActionChains

        one, other = (self.one(f'#board [data-square="{name}"]') for name in (start, end))
        ActionChains(self.driver, duration=40).drag_and_drop(one, other).perform()
        self.quiet()

    def press(self, *keys: str) -> None:
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self.driver).send_keys(*keys).perform()

    def errors(self) -> list[str]:
        """What stands in the console that should not."""
        return [
            entry["message"]
            for entry in self.driver.get_log("browser")
            if entry["level"] in ("SEVERE", "WARNING") and "status of 4" not in entry["message"]
        ]
