"""What rules may ask of positions and turns, and how it is evaluated.

A feature is a template by name with its arguments. The modules `positions`, `turns` and `terms` say
what the templates mean, `vocabulary` which of them a game gives rise to.
"""
