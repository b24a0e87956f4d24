% grl las next_control.las
opponent(1,2). opponent(2,1).
#modeh(next(control(var(p)))).
#modeb(1,opponent(var(p),var(p)),(positive)).
#modeb(1,control(var(p))).
#maxv(2).

#pos(g1_0,
  {next(control(2))},
  {next(control(1))},
  {control(1).}).
