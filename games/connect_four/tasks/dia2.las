% grl las dia2.las -ml 5 --max-rule-length 6
role(1). role(2).
#modeh(dia2(var(x),var(y),var(p))).
#modeb(1,role(var(p)),(positive)).
#modeb(1,cell(var(x),var(y)-3,var(p)),(positive)).
#modeb(1,cell(var(x),var(y)-2,var(p)),(positive)).
#modeb(1,cell(var(x),var(y)-1,var(p)),(positive)).
#modeb(1,cell(var(x),var(y),var(p)),(positive)).
#modeb(1,cell(var(x),var(y)+1,var(p)),(positive)).
#modeb(1,cell(var(x),var(y)+2,var(p)),(positive)).
#modeb(1,cell(var(x),var(y)+3,var(p)),(positive)).
#modeb(1,cell(var(x)+1,var(y)-3,var(p)),(positive)).
#modeb(1,cell(var(x)+1,var(y)-2,var(p)),(positive)).
#modeb(1,cell(var(x)+1,var(y)-1,var(p)),(positive)).
#modeb(1,cell(var(x)+1,var(y),var(p)),(positive)).
#modeb(1,cell(var(x)+1,var(y)+1,var(p)),(positive)).
#modeb(1,cell(var(x)+1,var(y)+2,var(p)),(positive)).
#modeb(1,cell(var(x)+1,var(y)+3,var(p)),(positive)).
#modeb(1,cell(var(x)+2,var(y)-3,var(p)),(positive)).
#modeb(1,cell(var(x)+2,var(y)-2,var(p)),(positive)).
#modeb(1,cell(var(x)+2,var(y)-1,var(p)),(positive)).
#modeb(1,cell(var(x)+2,var(y),var(p)),(positive)).
#modeb(1,cell(var(x)+2,var(y)+1,var(p)),(positive)).
#modeb(1,cell(var(x)+2,var(y)+2,var(p)),(positive)).
#modeb(1,cell(var(x)+2,var(y)+3,var(p)),(positive)).
#modeb(1,cell(var(x)+3,var(y)-3,var(p)),(positive)).
#modeb(1,cell(var(x)+3,var(y)-2,var(p)),(positive)).
#modeb(1,cell(var(x)+3,var(y)-1,var(p)),(positive)).
#modeb(1,cell(var(x)+3,var(y),var(p)),(positive)).
#modeb(1,cell(var(x)+3,var(y)+1,var(p)),(positive)).
#modeb(1,cell(var(x)+3,var(y)+2,var(p)),(positive)).
#modeb(1,cell(var(x)+3,var(y)+3,var(p)),(positive)).
#maxv(3).

#pos(g1_0,
  {},
  {dia2(1,1,0), dia2(1,1,1), dia2(1,1,2), dia2(2,1,0), dia2(2,1,1), dia2(2,1,2), dia2(3,1,0),
    dia2(3,1,1), dia2(3,1,2), dia2(4,1,0), dia2(4,1,1), dia2(4,1,2), dia2(5,1,0), dia2(5,1,1),
    dia2(5,1,2), dia2(6,1,0), dia2(6,1,1), dia2(6,1,2), dia2(7,1,0), dia2(7,1,1), dia2(7,1,2),
    dia2(1,2,0), dia2(1,2,1), dia2(1,2,2), dia2(2,2,0), dia2(2,2,1), dia2(2,2,2), dia2(3,2,0),
    dia2(3,2,1), dia2(3,2,2), dia2(4,2,0), dia2(4,2,1), dia2(4,2,2), dia2(5,2,0), dia2(5,2,1),
    dia2(5,2,2), dia2(6,2,0), dia2(6,2,1), dia2(6,2,2), dia2(7,2,0), dia2(7,2,1), dia2(7,2,2),
    dia2(1,3,0), dia2(1,3,1), dia2(1,3,2), dia2(2,3,0), dia2(2,3,1), dia2(2,3,2), dia2(3,3,0),
    dia2(3,3,1), dia2(3,3,2), dia2(4,3,0), dia2(4,3,1), dia2(4,3,2), dia2(5,3,0), dia2(5,3,1),
    dia2(5,3,2), dia2(6,3,0), dia2(6,3,1), dia2(6,3,2), dia2(7,3,0), dia2(7,3,1), dia2(7,3,2),
    dia2(1,4,0), dia2(1,4,1), dia2(1,4,2), dia2(2,4,0), dia2(2,4,1), dia2(2,4,2), dia2(3,4,0),
    dia2(3,4,1), dia2(3,4,2), dia2(4,4,0), dia2(4,4,1), dia2(4,4,2), dia2(5,4,0), dia2(5,4,1),
    dia2(5,4,2), dia2(6,4,0), dia2(6,4,1), dia2(6,4,2), dia2(7,4,0), dia2(7,4,1), dia2(7,4,2),
    dia2(1,5,0), dia2(1,5,1), dia2(1,5,2), dia2(2,5,0), dia2(2,5,1), dia2(2,5,2), dia2(3,5,0),
    dia2(3,5,1), dia2(3,5,2), dia2(4,5,0), dia2(4,5,1), dia2(4,5,2), dia2(5,5,0), dia2(5,5,1),
    dia2(5,5,2), dia2(6,5,0), dia2(6,5,1), dia2(6,5,2), dia2(7,5,0), dia2(7,5,1), dia2(7,5,2),
    dia2(1,6,0), dia2(1,6,1), dia2(1,6,2), dia2(2,6,0), dia2(2,6,1), dia2(2,6,2), dia2(3,6,0),
    dia2(3,6,1), dia2(3,6,2), dia2(4,6,0), dia2(4,6,1), dia2(4,6,2), dia2(5,6,0), dia2(5,6,1),
    dia2(5,6,2), dia2(6,6,0), dia2(6,6,1), dia2(6,6,2), dia2(7,6,0), dia2(7,6,1), dia2(7,6,2)},
  {cell(1,1,0). cell(2,1,0). cell(3,1,0). cell(4,1,0). cell(5,1,0). cell(6,1,0). cell(7,1,0).
    cell(1,2,0). cell(2,2,0). cell(3,2,0). cell(4,2,0). cell(5,2,0). cell(6,2,0). cell(7,2,0).
    cell(1,3,0). cell(2,3,0). cell(3,3,0). cell(4,3,0). cell(5,3,0). cell(6,3,0). cell(7,3,0).
    cell(1,4,0). cell(2,4,0). cell(3,4,0). cell(4,4,0). cell(5,4,0). cell(6,4,0). cell(7,4,0).
    cell(1,5,0). cell(2,5,0). cell(3,5,0). cell(4,5,0). cell(5,5,0). cell(6,5,0). cell(7,5,0).
    cell(1,6,0). cell(2,6,0). cell(3,6,0). cell(4,6,0). cell(5,6,0). cell(6,6,0). cell(7,6,0).}).
#pos(g9_0,
  {},
  {dia2(1,1,0), dia2(1,1,1), dia2(1,1,2), dia2(2,1,0), dia2(2,1,1), dia2(2,1,2), dia2(3,1,0),
    dia2(3,1,1), dia2(3,1,2), dia2(4,1,0), dia2(4,1,1), dia2(4,1,2), dia2(5,1,0), dia2(5,1,1),
    dia2(5,1,2), dia2(6,1,0), dia2(6,1,1), dia2(6,1,2), dia2(7,1,0), dia2(7,1,1), dia2(7,1,2),
    dia2(1,2,0), dia2(1,2,1), dia2(1,2,2), dia2(2,2,0), dia2(2,2,1), dia2(2,2,2), dia2(3,2,0),
    dia2(3,2,1), dia2(3,2,2), dia2(4,2,0), dia2(4,2,1), dia2(4,2,2), dia2(5,2,0), dia2(5,2,1),
    dia2(5,2,2), dia2(6,2,0), dia2(6,2,1), dia2(6,2,2), dia2(7,2,0), dia2(7,2,1), dia2(7,2,2),
    dia2(1,3,0), dia2(1,3,1), dia2(1,3,2), dia2(2,3,0), dia2(2,3,1), dia2(2,3,2), dia2(3,3,0),
    dia2(3,3,1), dia2(3,3,2), dia2(4,3,0), dia2(4,3,1), dia2(4,3,2), dia2(5,3,0), dia2(5,3,1),
    dia2(5,3,2), dia2(6,3,0), dia2(6,3,1), dia2(6,3,2), dia2(7,3,0), dia2(7,3,1), dia2(7,3,2),
    dia2(1,4,0), dia2(1,4,1), dia2(1,4,2), dia2(2,4,0), dia2(2,4,1), dia2(2,4,2), dia2(3,4,0),
    dia2(3,4,1), dia2(3,4,2), dia2(4,4,0), dia2(4,4,1), dia2(4,4,2), dia2(5,4,0), dia2(5,4,1),
    dia2(5,4,2), dia2(6,4,0), dia2(6,4,1), dia2(6,4,2), dia2(7,4,0), dia2(7,4,1), dia2(7,4,2),
    dia2(1,5,0), dia2(1,5,1), dia2(1,5,2), dia2(2,5,0), dia2(2,5,1), dia2(2,5,2), dia2(3,5,0),
    dia2(3,5,1), dia2(3,5,2), dia2(4,5,0), dia2(4,5,1), dia2(4,5,2), dia2(5,5,0), dia2(5,5,1),
    dia2(5,5,2), dia2(6,5,0), dia2(6,5,1), dia2(6,5,2), dia2(7,5,0), dia2(7,5,1), dia2(7,5,2),
    dia2(1,6,0), dia2(1,6,1), dia2(1,6,2), dia2(2,6,0), dia2(2,6,1), dia2(2,6,2), dia2(3,6,0),
    dia2(3,6,1), dia2(3,6,2), dia2(4,6,0), dia2(4,6,1), dia2(4,6,2), dia2(5,6,0), dia2(5,6,1),
    dia2(5,6,2), dia2(6,6,0), dia2(6,6,1), dia2(6,6,2), dia2(7,6,0), dia2(7,6,1), dia2(7,6,2)},
  {cell(1,1,2). cell(2,1,2). cell(3,1,1). cell(4,1,2). cell(5,1,2). cell(6,1,1). cell(7,1,1).
    cell(1,2,2). cell(2,2,2). cell(3,2,2). cell(4,2,1). cell(5,2,1). cell(6,2,1). cell(7,2,2).
    cell(1,3,2). cell(2,3,2). cell(3,3,1). cell(4,3,1). cell(5,3,2). cell(6,3,1). cell(7,3,2).
    cell(1,4,0). cell(2,4,1). cell(3,4,2). cell(4,4,2). cell(5,4,2). cell(6,4,0). cell(7,4,2).
    cell(1,5,0). cell(2,5,2). cell(3,5,1). cell(4,5,1). cell(5,5,1). cell(6,5,0). cell(7,5,1).
    cell(1,6,0). cell(2,6,1). cell(3,6,1). cell(4,6,2). cell(5,6,1). cell(6,6,0). cell(7,6,1).}).
#pos(g10_4,
  {},
  {dia2(1,1,0), dia2(1,1,1), dia2(1,1,2), dia2(2,1,0), dia2(2,1,1), dia2(2,1,2), dia2(3,1,0),
    dia2(3,1,1), dia2(3,1,2), dia2(4,1,0), dia2(4,1,1), dia2(4,1,2), dia2(5,1,0), dia2(5,1,1),
    dia2(5,1,2), dia2(6,1,0), dia2(6,1,1), dia2(6,1,2), dia2(7,1,0), dia2(7,1,1), dia2(7,1,2),
    dia2(1,2,0), dia2(1,2,1), dia2(1,2,2), dia2(2,2,0), dia2(2,2,1), dia2(2,2,2), dia2(3,2,0),
    dia2(3,2,1), dia2(3,2,2), dia2(4,2,0), dia2(4,2,1), dia2(4,2,2), dia2(5,2,0), dia2(5,2,1),
    dia2(5,2,2), dia2(6,2,0), dia2(6,2,1), dia2(6,2,2), dia2(7,2,0), dia2(7,2,1), dia2(7,2,2),
    dia2(1,3,0), dia2(1,3,1), dia2(1,3,2), dia2(2,3,0), dia2(2,3,1), dia2(2,3,2), dia2(3,3,0),
    dia2(3,3,1), dia2(3,3,2), dia2(4,3,0), dia2(4,3,1), dia2(4,3,2), dia2(5,3,0), dia2(5,3,1),
    dia2(5,3,2), dia2(6,3,0), dia2(6,3,1), dia2(6,3,2), dia2(7,3,0), dia2(7,3,1), dia2(7,3,2),
    dia2(1,4,0), dia2(1,4,1), dia2(1,4,2), dia2(2,4,0), dia2(2,4,1), dia2(2,4,2), dia2(3,4,0),
    dia2(3,4,1), dia2(3,4,2), dia2(4,4,0), dia2(4,4,1), dia2(4,4,2), dia2(5,4,0), dia2(5,4,1),
    dia2(5,4,2), dia2(6,4,0), dia2(6,4,1), dia2(6,4,2), dia2(7,4,0), dia2(7,4,1), dia2(7,4,2),
    dia2(1,5,0), dia2(1,5,1), dia2(1,5,2), dia2(2,5,0), dia2(2,5,1), dia2(2,5,2), dia2(3,5,0),
    dia2(3,5,1), dia2(3,5,2), dia2(4,5,0), dia2(4,5,1), dia2(4,5,2), dia2(5,5,0), dia2(5,5,1),
    dia2(5,5,2), dia2(6,5,0), dia2(6,5,1), dia2(6,5,2), dia2(7,5,0), dia2(7,5,1), dia2(7,5,2),
    dia2(1,6,0), dia2(1,6,1), dia2(1,6,2), dia2(2,6,0), dia2(2,6,1), dia2(2,6,2), dia2(3,6,0),
    dia2(3,6,1), dia2(3,6,2), dia2(4,6,0), dia2(4,6,1), dia2(4,6,2), dia2(5,6,0), dia2(5,6,1),
    dia2(5,6,2), dia2(6,6,0), dia2(6,6,1), dia2(6,6,2), dia2(7,6,0), dia2(7,6,1), dia2(7,6,2)},
  {cell(1,1,1). cell(2,1,2). cell(3,1,2). cell(4,1,2). cell(5,1,1). cell(6,1,1). cell(7,1,1).
    cell(1,2,1). cell(2,2,2). cell(3,2,1). cell(4,2,1). cell(5,2,2). cell(6,2,1). cell(7,2,1).
    cell(1,3,1). cell(2,3,2). cell(3,3,2). cell(4,3,1). cell(5,3,2). cell(6,3,1). cell(7,3,2).
    cell(1,4,2). cell(2,4,1). cell(3,4,1). cell(4,4,1). cell(5,4,2). cell(6,4,2). cell(7,4,2).
    cell(1,5,2). cell(2,5,2). cell(3,5,2). cell(4,5,0). cell(5,5,1). cell(6,5,2). cell(7,5,1).
    cell(1,6,1). cell(2,6,2). cell(3,6,1). cell(4,6,0). cell(5,6,2). cell(6,6,2). cell(7,6,1).}).
#pos(g11_0,
  {},
  {dia2(1,1,0), dia2(1,1,1), dia2(1,1,2), dia2(2,1,0), dia2(2,1,1), dia2(2,1,2), dia2(3,1,0),
    dia2(3,1,1), dia2(3,1,2), dia2(4,1,0), dia2(4,1,1), dia2(4,1,2), dia2(5,1,0), dia2(5,1,1),
    dia2(5,1,2), dia2(6,1,0), dia2(6,1,1), dia2(6,1,2), dia2(7,1,0), dia2(7,1,1), dia2(7,1,2),
    dia2(1,2,0), dia2(1,2,1), dia2(1,2,2), dia2(2,2,0), dia2(2,2,1), dia2(2,2,2), dia2(3,2,0),
    dia2(3,2,1), dia2(3,2,2), dia2(4,2,0), dia2(4,2,1), dia2(4,2,2), dia2(5,2,0), dia2(5,2,1),
    dia2(5,2,2), dia2(6,2,0), dia2(6,2,1), dia2(6,2,2), dia2(7,2,0), dia2(7,2,1), dia2(7,2,2),
    dia2(1,3,0), dia2(1,3,1), dia2(1,3,2), dia2(2,3,0), dia2(2,3,1), dia2(2,3,2), dia2(3,3,0),
    dia2(3,3,1), dia2(3,3,2), dia2(4,3,0), dia2(4,3,1), dia2(4,3,2), dia2(5,3,0), dia2(5,3,1),
    dia2(5,3,2), dia2(6,3,0), dia2(6,3,1), dia2(6,3,2), dia2(7,3,0), dia2(7,3,1), dia2(7,3,2),
    dia2(1,4,0), dia2(1,4,1), dia2(1,4,2), dia2(2,4,0), dia2(2,4,1), dia2(2,4,2), dia2(3,4,0),
    dia2(3,4,1), dia2(3,4,2), dia2(4,4,0), dia2(4,4,1), dia2(4,4,2), dia2(5,4,0), dia2(5,4,1),
    dia2(5,4,2), dia2(6,4,0), dia2(6,4,1), dia2(6,4,2), dia2(7,4,0), dia2(7,4,1), dia2(7,4,2),
    dia2(1,5,0), dia2(1,5,1), dia2(1,5,2), dia2(2,5,0), dia2(2,5,1), dia2(2,5,2), dia2(3,5,0),
    dia2(3,5,1), dia2(3,5,2), dia2(4,5,0), dia2(4,5,1), dia2(4,5,2), dia2(5,5,0), dia2(5,5,1),
    dia2(5,5,2), dia2(6,5,0), dia2(6,5,1), dia2(6,5,2), dia2(7,5,0), dia2(7,5,1), dia2(7,5,2),
    dia2(1,6,0), dia2(1,6,1), dia2(1,6,2), dia2(2,6,0), dia2(2,6,1), dia2(2,6,2), dia2(3,6,0),
    dia2(3,6,1), dia2(3,6,2), dia2(4,6,0), dia2(4,6,1), dia2(4,6,2), dia2(5,6,0), dia2(5,6,1),
    dia2(5,6,2), dia2(6,6,0), dia2(6,6,1), dia2(6,6,2), dia2(7,6,0), dia2(7,6,1), dia2(7,6,2)},
  {cell(1,1,1). cell(2,1,2). cell(3,1,2). cell(4,1,1). cell(5,1,1). cell(6,1,1). cell(7,1,2).
    cell(1,2,2). cell(2,2,2). cell(3,2,1). cell(4,2,1). cell(5,2,1). cell(6,2,2). cell(7,2,1).
    cell(1,3,1). cell(2,3,2). cell(3,3,2). cell(4,3,0). cell(5,3,2). cell(6,3,1). cell(7,3,2).
    cell(1,4,2). cell(2,4,1). cell(3,4,1). cell(4,4,0). cell(5,4,2). cell(6,4,2). cell(7,4,2).
    cell(1,5,1). cell(2,5,2). cell(3,5,1). cell(4,5,0). cell(5,5,1). cell(6,5,2). cell(7,5,1).
    cell(1,6,2). cell(2,6,1). cell(3,6,1). cell(4,6,0). cell(5,6,2). cell(6,6,1). cell(7,6,2).}).
#pos(g11_end,
  {dia2(3,4,1)},
  {dia2(1,1,0), dia2(1,1,1), dia2(1,1,2), dia2(2,1,0), dia2(2,1,1), dia2(2,1,2), dia2(3,1,0),
    dia2(3,1,1), dia2(3,1,2), dia2(4,1,0), dia2(4,1,1), dia2(4,1,2), dia2(5,1,0), dia2(5,1,1),
    dia2(5,1,2), dia2(6,1,0), dia2(6,1,1), dia2(6,1,2), dia2(7,1,0), dia2(7,1,1), dia2(7,1,2),
    dia2(1,2,0), dia2(1,2,1), dia2(1,2,2), dia2(2,2,0), dia2(2,2,1), dia2(2,2,2), dia2(3,2,0),
    dia2(3,2,1), dia2(3,2,2), dia2(4,2,0), dia2(4,2,1), dia2(4,2,2), dia2(5,2,0), dia2(5,2,1),
    dia2(5,2,2), dia2(6,2,0), dia2(6,2,1), dia2(6,2,2), dia2(7,2,0), dia2(7,2,1), dia2(7,2,2),
    dia2(1,3,0), dia2(1,3,1), dia2(1,3,2), dia2(2,3,0), dia2(2,3,1), dia2(2,3,2), dia2(3,3,0),
    dia2(3,3,1), dia2(3,3,2), dia2(4,3,0), dia2(4,3,1), dia2(4,3,2), dia2(5,3,0), dia2(5,3,1),
    dia2(5,3,2), dia2(6,3,0), dia2(6,3,1), dia2(6,3,2), dia2(7,3,0), dia2(7,3,1), dia2(7,3,2),
    dia2(1,4,0), dia2(1,4,1), dia2(1,4,2), dia2(2,4,0), dia2(2,4,1), dia2(2,4,2), dia2(3,4,0),
    dia2(3,4,2), dia2(4,4,0), dia2(4,4,1), dia2(4,4,2), dia2(5,4,0), dia2(5,4,1), dia2(5,4,2),
    dia2(6,4,0), dia2(6,4,1), dia2(6,4,2), dia2(7,4,0), dia2(7,4,1), dia2(7,4,2), dia2(1,5,0),
    dia2(1,5,1), dia2(1,5,2), dia2(2,5,0), dia2(2,5,1), dia2(2,5,2), dia2(3,5,0), dia2(3,5,1),
    dia2(3,5,2), dia2(4,5,0), dia2(4,5,1), dia2(4,5,2), dia2(5,5,0), dia2(5,5,1), dia2(5,5,2),
    dia2(6,5,0), dia2(6,5,1), dia2(6,5,2), dia2(7,5,0), dia2(7,5,1), dia2(7,5,2), dia2(1,6,0),
    dia2(1,6,1), dia2(1,6,2), dia2(2,6,0), dia2(2,6,1), dia2(2,6,2), dia2(3,6,0), dia2(3,6,1),
    dia2(3,6,2), dia2(4,6,0), dia2(4,6,1), dia2(4,6,2), dia2(5,6,0), dia2(5,6,1), dia2(5,6,2),
    dia2(6,6,0), dia2(6,6,1), dia2(6,6,2), dia2(7,6,0), dia2(7,6,1), dia2(7,6,2)},
  {cell(1,1,1). cell(2,1,2). cell(3,1,2). cell(4,1,1). cell(5,1,1). cell(6,1,1). cell(7,1,2).
    cell(1,2,2). cell(2,2,2). cell(3,2,1). cell(4,2,1). cell(5,2,1). cell(6,2,2). cell(7,2,1).
    cell(1,3,1). cell(2,3,2). cell(3,3,2). cell(4,3,1). cell(5,3,2). cell(6,3,1). cell(7,3,2).
    cell(1,4,2). cell(2,4,1). cell(3,4,1). cell(4,4,0). cell(5,4,2). cell(6,4,2). cell(7,4,2).
    cell(1,5,1). cell(2,5,2). cell(3,5,1). cell(4,5,0). cell(5,5,1). cell(6,5,2). cell(7,5,1).
    cell(1,6,2). cell(2,6,1). cell(3,6,1). cell(4,6,0). cell(5,6,2). cell(6,6,1). cell(7,6,2).}).
#pos(g14_28,
  {},
  {dia2(1,1,0), dia2(1,1,1), dia2(1,1,2), dia2(2,1,0), dia2(2,1,1), dia2(2,1,2), dia2(3,1,0),
    dia2(3,1,1), dia2(3,1,2), dia2(4,1,0), dia2(4,1,1), dia2(4,1,2), dia2(5,1,0), dia2(5,1,1),
    dia2(5,1,2), dia2(6,1,0), dia2(6,1,1), dia2(6,1,2), dia2(7,1,0), dia2(7,1,1), dia2(7,1,2),
    dia2(1,2,0), dia2(1,2,1), dia2(1,2,2), dia2(2,2,0), dia2(2,2,1), dia2(2,2,2), dia2(3,2,0),
    dia2(3,2,1), dia2(3,2,2), dia2(4,2,0), dia2(4,2,1), dia2(4,2,2), dia2(5,2,0), dia2(5,2,1),
    dia2(5,2,2), dia2(6,2,0), dia2(6,2,1), dia2(6,2,2), dia2(7,2,0), dia2(7,2,1), dia2(7,2,2),
    dia2(1,3,0), dia2(1,3,1), dia2(1,3,2), dia2(2,3,0), dia2(2,3,1), dia2(2,3,2), dia2(3,3,0),
    dia2(3,3,1), dia2(3,3,2), dia2(4,3,0), dia2(4,3,1), dia2(4,3,2), dia2(5,3,0), dia2(5,3,1),
    dia2(5,3,2), dia2(6,3,0), dia2(6,3,1), dia2(6,3,2), dia2(7,3,0), dia2(7,3,1), dia2(7,3,2),
    dia2(1,4,0), dia2(1,4,1), dia2(1,4,2), dia2(2,4,0), dia2(2,4,1), dia2(2,4,2), dia2(3,4,0),
    dia2(3,4,1), dia2(3,4,2), dia2(4,4,0), dia2(4,4,1), dia2(4,4,2), dia2(5,4,0), dia2(5,4,1),
    dia2(5,4,2), dia2(6,4,0), dia2(6,4,1), dia2(6,4,2), dia2(7,4,0), dia2(7,4,1), dia2(7,4,2),
    dia2(1,5,0), dia2(1,5,1), dia2(1,5,2), dia2(2,5,0), dia2(2,5,1), dia2(2,5,2), dia2(3,5,0),
    dia2(3,5,1), dia2(3,5,2), dia2(4,5,0), dia2(4,5,1), dia2(4,5,2), dia2(5,5,0), dia2(5,5,1),
    dia2(5,5,2), dia2(6,5,0), dia2(6,5,1), dia2(6,5,2), dia2(7,5,0), dia2(7,5,1), dia2(7,5,2),
    dia2(1,6,0), dia2(1,6,1), dia2(1,6,2), dia2(2,6,0), dia2(2,6,1), dia2(2,6,2), dia2(3,6,0),
    dia2(3,6,1), dia2(3,6,2), dia2(4,6,0), dia2(4,6,1), dia2(4,6,2), dia2(5,6,0), dia2(5,6,1),
    dia2(5,6,2), dia2(6,6,0), dia2(6,6,1), dia2(6,6,2), dia2(7,6,0), dia2(7,6,1), dia2(7,6,2)},
  {cell(1,1,2). cell(2,1,2). cell(3,1,1). cell(4,1,2). cell(5,1,1). cell(6,1,1). cell(7,1,1).
    cell(1,2,1). cell(2,2,1). cell(3,2,2). cell(4,2,2). cell(5,2,0). cell(6,2,2). cell(7,2,1).
    cell(1,3,2). cell(2,3,1). cell(3,3,1). cell(4,3,1). cell(5,3,0). cell(6,3,0). cell(7,3,2).
    cell(1,4,1). cell(2,4,2). cell(3,4,2). cell(4,4,2). cell(5,4,0). cell(6,4,0). cell(7,4,2).
    cell(1,5,0). cell(2,5,2). cell(3,5,1). cell(4,5,1). cell(5,5,0). cell(6,5,0). cell(7,5,0).
    cell(1,6,0). cell(2,6,0). cell(3,6,2). cell(4,6,1). cell(5,6,0). cell(6,6,0). cell(7,6,0).}).
