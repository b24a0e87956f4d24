% grl las next_cell.las
role(1). role(2).
target(X,Y) :- cell(X,Y,0), not cell(X,Y-1,0).
target(X,Y,P) :- target(X,Y), does(P,drop(X)).
#modeh(next(var(x),var(y),var(p))).
#modeh(next(var(x),var(y),const(c))).
#modeb(1,target(var(x),var(y),var(p))).
#modeb(1,cell(var(x),var(y),var(p)),(positive)).
#modeb(1,cell(var(x),var(y),const(c))).
#modeb(1,control(var(p)),(positive)).
#modeb(1,role(var(p)),(positive)).
#constant(c,0).
#maxv(3).

#pos(g1_7,
  {next(1,1,2), next(2,1,2), next(3,1,2), next(4,1,1), next(5,1,1), next(6,1,0), next(7,1,1),
    next(1,2,0), next(2,2,0), next(3,2,0), next(4,2,2), next(5,2,0), next(6,2,0), next(7,2,1),
    next(1,3,0), next(2,3,0), next(3,3,0), next(4,3,0), next(5,3,0), next(6,3,0), next(7,3,0),
    next(1,4,0), next(2,4,0), next(3,4,0), next(4,4,0), next(5,4,0), next(6,4,0), next(7,4,0),
    next(1,5,0), next(2,5,0), next(3,5,0), next(4,5,0), next(5,5,0), next(6,5,0), next(7,5,0),
    next(1,6,0), next(2,6,0), next(3,6,0), next(4,6,0), next(5,6,0), next(6,6,0), next(7,6,0)},
  {next(1,1,0), next(1,1,1), next(2,1,0), next(2,1,1), next(3,1,0), next(3,1,1), next(4,1,0),
    next(4,1,2), next(5,1,0), next(5,1,2), next(6,1,1), next(6,1,2), next(7,1,0), next(7,1,2),
    next(1,2,1), next(1,2,2), next(2,2,1), next(2,2,2), next(3,2,1), next(3,2,2), next(4,2,0),
    next(4,2,1), next(5,2,1), next(5,2,2), next(6,2,1), next(6,2,2), next(7,2,0), next(7,2,2),
    next(1,3,1), next(1,3,2), next(2,3,1), next(2,3,2), next(3,3,1), next(3,3,2), next(4,3,1),
    next(4,3,2), next(5,3,1), next(5,3,2), next(6,3,1), next(6,3,2), next(7,3,1), next(7,3,2),
    next(1,4,1), next(1,4,2), next(2,4,1), next(2,4,2), next(3,4,1), next(3,4,2), next(4,4,1),
    next(4,4,2), next(5,4,1), next(5,4,2), next(6,4,1), next(6,4,2), next(7,4,1), next(7,4,2),
    next(1,5,1), next(1,5,2), next(2,5,1), next(2,5,2), next(3,5,1), next(3,5,2), next(4,5,1),
    next(4,5,2), next(5,5,1), next(5,5,2), next(6,5,1), next(6,5,2), next(7,5,1), next(7,5,2),
    next(1,6,1), next(1,6,2), next(2,6,1), next(2,6,2), next(3,6,1), next(3,6,2), next(4,6,1),
    next(4,6,2), next(5,6,1), next(5,6,2), next(6,6,1), next(6,6,2), next(7,6,1), next(7,6,2)},
  {cell(1,1,0). cell(2,1,2). cell(3,1,2). cell(4,1,1). cell(5,1,1). cell(6,1,0). cell(7,1,1).
    cell(1,2,0). cell(2,2,0). cell(3,2,0). cell(4,2,2). cell(5,2,0). cell(6,2,0). cell(7,2,1).
    cell(1,3,0). cell(2,3,0). cell(3,3,0). cell(4,3,0). cell(5,3,0). cell(6,3,0). cell(7,3,0).
    cell(1,4,0). cell(2,4,0). cell(3,4,0). cell(4,4,0). cell(5,4,0). cell(6,4,0). cell(7,4,0).
    cell(1,5,0). cell(2,5,0). cell(3,5,0). cell(4,5,0). cell(5,5,0). cell(6,5,0). cell(7,5,0).
    cell(1,6,0). cell(2,6,0). cell(3,6,0). cell(4,6,0). cell(5,6,0). cell(6,6,0). cell(7,6,0).
    control(2). does(2,drop(1)).}).
