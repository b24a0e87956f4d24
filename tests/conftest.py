"""Being here puts this folder on the import path, so that tests in folders below find helpers."""

from hypothesis import HealthCheck, settings

# The same examples in every run: a test fails because the code changed, never by the draw; and a
# busy machine must not make a slow draw into a failure.
settings.register_profile(
    "steady",
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
settings.load_profile("steady")
