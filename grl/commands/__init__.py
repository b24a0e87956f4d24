"""The command line's commands, each module a few of them; `grl.cli` puts them together.

A command reads what its options name, calls one room of the library, and prints what came of it;
whatever could be of use without a terminal belongs in that room. A room is imported when a
command runs and not before, so that ``grl --help`` answers fast.

Read `grl.commands.moving` first, which is short, and `grl.commands.common` for what all share.
"""
