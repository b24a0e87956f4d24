"""The tests of the engine take the compiler that most users have."""

import pytest


@pytest.fixture(scope="module", autouse=True)
def engine_compiler(best_compiler: None) -> None:
    pass
