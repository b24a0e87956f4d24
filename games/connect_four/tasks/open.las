% grl las open.las
#modeh(open).
#modeb(1,cell(var(x),var(y),const(c))).
#constant(c,0). #constant(c,1). #constant(c,2).
#maxv(2).

#pos(g1_0,
  {open},
  {},
  {cell(1,1,0). cell(2,1,0). cell(3,1,0). cell(4,1,0). cell(5,1,0). cell(6,1,0). cell(7,1,0).
    cell(1,2,0). cell(2,2,0). cell(3,2,0). cell(4,2,0). cell(5,2,0). cell(6,2,0). cell(7,2,0).
    cell(1,3,0). cell(2,3,0). cell(3,3,0). cell(4,3,0). cell(5,3,0). cell(6,3,0). cell(7,3,0).
    cell(1,4,0). cell(2,4,0). cell(3,4,0). cell(4,4,0). cell(5,4,0). cell(6,4,0). cell(7,4,0).
    cell(1,5,0). cell(2,5,0). cell(3,5,0). cell(4,5,0). cell(5,5,0). cell(6,5,0). cell(7,5,0).
    cell(1,6,0). cell(2,6,0). cell(3,6,0). cell(4,6,0). cell(5,6,0). cell(6,6,0). cell(7,6,0).}).
#pos(g15_end,
  {},
  {open},
  {cell(1,1,1). cell(2,1,2). cell(3,1,1). cell(4,1,1). cell(5,1,1). cell(6,1,2). cell(7,1,2).
    cell(1,2,2). cell(2,2,1). cell(3,2,2). cell(4,2,2). cell(5,2,1). cell(6,2,2). cell(7,2,2).
    cell(1,3,1). cell(2,3,1). cell(3,3,2). cell(4,3,1). cell(5,3,1). cell(6,3,2). cell(7,3,1).
    cell(1,4,1). cell(2,4,2). cell(3,4,1). cell(4,4,1). cell(5,4,2). cell(6,4,1). cell(7,4,2).
    cell(1,5,1). cell(2,5,2). cell(3,5,1). cell(4,5,1). cell(5,5,2). cell(6,5,1). cell(7,5,2).
    cell(1,6,2). cell(2,6,2). cell(3,6,1). cell(4,6,2). cell(5,6,2). cell(6,6,2). cell(7,6,1).}).
