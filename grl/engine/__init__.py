"""Models as machine code: a learned model written as C, compiled, and played."""
