% grl las does.las
#modeha(does(var(p),var(m))).
#modec(legal(var(p),var(m))).
#modeb(1,control(var(p))).
#modeb(1,terminal).
#maxv(2).

#pos(g1_end,
  {},
  {does(1,drop(1)), does(1,drop(2)), does(1,drop(3)), does(1,drop(4)), does(1,drop(5)),
    does(1,drop(6)), does(1,drop(7)), does(2,drop(1)), does(2,drop(2)), does(2,drop(3)),
    does(2,drop(4)), does(2,drop(5)), does(2,drop(6)), does(2,drop(7))},
  {terminal. control(1).}).
#pos(g2_0_5,
  {does(2,drop(5))},
  {},
  {legal(2,drop(5)). control(2).}).
#neg(g2_0_none,
  {},
  {does(2,drop(5))},
  {legal(2,drop(5)). control(2).}).
