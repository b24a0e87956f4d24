"""Answer set programs as values: terms, rules, programs, their one printer and their reader."""
