"""Whole models in formats that other tools read: answer set programs and GDL.

Both say the same in the relations of the Game Description Language, ``role``, ``init``, ``true``,
``does``, ``legal``, ``next``, ``terminal`` and ``goal``: automata as facts, rules that walk them
over the board, what turns bring about, and the learned rules, each with its sentence.

Read `grl.export.program` first, which puts an answer set program together; `grl.export.kif` makes
GDL of it, and `grl.export.spelling` reads turns as terms and back. Rules are text in templates, and
values of `grl.asp` wherever they are copied, unrolled or translated.
"""
