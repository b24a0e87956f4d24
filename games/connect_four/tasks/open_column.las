% grl las open_column.las
#modeh(open(var(x))).
#modeb(1,cell(var(x),var(y),const(c))).
#constant(c,0). #constant(c,1). #constant(c,2).
#maxv(2).

#pos(g2_0,
  {open(5)},
  {open(1), open(2), open(3), open(4), open(6), open(7)},
  {cell(1,1,1). cell(2,1,1). cell(3,1,1). cell(4,1,2). cell(5,1,2). cell(6,1,2). cell(7,1,1).
    cell(1,2,2). cell(2,2,2). cell(3,2,2). cell(4,2,1). cell(5,2,0). cell(6,2,1). cell(7,2,1).
    cell(1,3,1). cell(2,3,1). cell(3,3,1). cell(4,3,2). cell(5,3,0). cell(6,3,2). cell(7,3,1).
    cell(1,4,2). cell(2,4,2). cell(3,4,1). cell(4,4,2). cell(5,4,0). cell(6,4,1). cell(7,4,2).
    cell(1,5,2). cell(2,5,1). cell(3,5,2). cell(4,5,1). cell(5,5,0). cell(6,5,1). cell(7,5,2).
    cell(1,6,2). cell(2,6,2). cell(3,6,1). cell(4,6,2). cell(5,6,0). cell(6,6,1). cell(7,6,1).}).
