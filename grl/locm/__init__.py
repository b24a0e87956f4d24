"""LOCM: planning domains and state machines from plans alone.

It is used twice. ``grl locm`` learns a domain from anybody's plans: sorts, machines with state
parameters, schemas, static relations, written as PDDL. `grl.learn` reads every turn of a game as a
plan and learns machines of how pieces and squares take part in it.

Read `grl.locm.learn` first for domains; for turns, `grl.locm.actions` and `grl.locm.machines`.
"""
