"""Learned models as environments of other libraries: OpenSpiel, PettingZoo, Gymnasium.

Read `grl.environments.actions` first: how turns become numbers that mean the same in every state.
`grl.environments.nodes` plays by them and `grl.environments.planes` makes arrays of states; the
other modules, one for each library, wrap these.
"""
