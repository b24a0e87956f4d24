"""Being here puts this folder on the import path, so that tests in folders below find helpers."""

import gc
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Generator, Iterator

import made_once
import pytest
from hypothesis import HealthCheck, settings

from grl import compiler

# The same examples in every run: a test fails because the code changed, never by the draw; and a
# busy machine must not make a slow draw into a failure.
settings.register_profile(
    "steady",
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
settings.load_profile("steady")

# Whoever runs the tests in the background of a script ignores interrupts, or with nohup the end of
# the terminal, and so would every program that the tests start and interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

# Most of the time that tests spend on compiled models is the compiler's: it shall take less, and
# the small one is tested, too. What is to be tested with the other asks for `best_compiler`.
compiler.FLAGS = tuple("-O1" if flag == "-O2" else flag for flag in compiler.FLAGS)
if any(each.kind == "tcc" for each in compiler.compilers()):
    os.environ.setdefault("GRL_COMPILER", "tcc")


# The few kernels of learning are compiled once for all tests, and do what learning does most.
def _by_the_best(
    kernel: compiler.Kernel,
    compiled: Callable[[compiler.Kernel], object] = compiler.Kernel.compiled.func,
) -> object:
    with pytest.MonkeyPatch.context() as patched:
        if os.environ.get("GRL_COMPILER") == "tcc":
            patched.delenv("GRL_COMPILER")
        return compiled(kernel)


compiler.Kernel.compiled.func = _by_the_best

# As the command line has it: learning makes many objects that live long, and few circles.
gc.set_threshold(100_000)


@pytest.fixture(scope="module")
def best_compiler() -> Iterator[None]:
    """The compiler that most users have."""
    with pytest.MonkeyPatch.context() as patched:
        patched.delenv("GRL_COMPILER", raising=False)
        yield


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(
    item: pytest.Item, nextitem: pytest.Item | None
) -> Generator[None, None, None]:
    """What a test leaves behind, such as models that others share, is gone through no more.

    Learning asks for collections of its own, and each would go through all that has been made.
    """
    yield
    many = any(gc.get_count()[1:])
    if many or nextitem is None or nextitem.path != item.path:
        gc.collect()
        gc.freeze()


def pytest_configure(config: pytest.Config) -> None:
    """One folder for all processes of this run, with what they make once."""
    if made_once.FOLDER not in os.environ:
        folder = os.environ[made_once.FOLDER] = tempfile.mkdtemp(prefix="grl-tests-")
        config.add_cleanup(lambda: os.environ.pop(made_once.FOLDER, None))
        config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
        if sys.dont_write_bytecode:
            # Every process that the tests start would compile grl and its libraries anew.
            os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
            sys.dont_write_bytecode = False
            sys.pycache_prefix = os.environ["PYTHONPYCACHEPREFIX"] = f"{folder}/compiled"
