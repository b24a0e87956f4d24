"""Answer set programs as values: terms, rules, their one printer, their reader.

Programs are written as text where that reads best, in templates; `grl.asp.reader` turns text into
the values of `grl.asp.rules` and `grl.asp.terms`, and whatever is done with rules afterwards is
done with those: asked for their predicates, renamed, given values for variables, or sorted by what
rests on what (`grl.asp.dependencies`). The learner of `grl.las` has values of its own, whose
variables are numbers and whose terms have the places of mode declarations.
"""
