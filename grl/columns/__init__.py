"""Games as columns of numbers: replayed and counted many at a time, as fast as numpy goes."""
