% grl las target_player.las
target(X,Y) :- cell(X,Y,0), not cell(X,Y-1,0).
#modeh(target(var(x),var(y),var(p))).
#modeb(1,target(var(x),var(y))).
#modeb(1,does(var(p),drop(var(x)))).
#maxv(3).

#pos(g1_0,
  {target(4,1,1)},
  {target(1,1,0), target(1,1,1), target(1,1,2), target(2,1,0), target(2,1,1), target(2,1,2),
    target(3,1,0), target(3,1,1), target(3,1,2), target(4,1,0), target(4,1,2), target(5,1,0),
    target(5,1,1), target(5,1,2), target(6,1,0), target(6,1,1), target(6,1,2), target(7,1,0),
    target(7,1,1), target(7,1,2), target(1,2,0), target(1,2,1), target(1,2,2), target(2,2,0),
    target(2,2,1), target(2,2,2), target(3,2,0), target(3,2,1), target(3,2,2), target(4,2,0),
    target(4,2,1), target(4,2,2), target(5,2,0), target(5,2,1), target(5,2,2), target(6,2,0),
    target(6,2,1), target(6,2,2), target(7,2,0), target(7,2,1), target(7,2,2), target(1,3,0),
    target(1,3,1), target(1,3,2), target(2,3,0), target(2,3,1), target(2,3,2), target(3,3,0),
    target(3,3,1), target(3,3,2), target(4,3,0), target(4,3,1), target(4,3,2), target(5,3,0),
    target(5,3,1), target(5,3,2), target(6,3,0), target(6,3,1), target(6,3,2), target(7,3,0),
    target(7,3,1), target(7,3,2), target(1,4,0), target(1,4,1), target(1,4,2), target(2,4,0),
    target(2,4,1), target(2,4,2), target(3,4,0), target(3,4,1), target(3,4,2), target(4,4,0),
    target(4,4,1), target(4,4,2), target(5,4,0), target(5,4,1), target(5,4,2), target(6,4,0),
    target(6,4,1), target(6,4,2), target(7,4,0), target(7,4,1), target(7,4,2), target(1,5,0),
    target(1,5,1), target(1,5,2), target(2,5,0), target(2,5,1), target(2,5,2), target(3,5,0),
    target(3,5,1), target(3,5,2), target(4,5,0), target(4,5,1), target(4,5,2), target(5,5,0),
    target(5,5,1), target(5,5,2), target(6,5,0), target(6,5,1), target(6,5,2), target(7,5,0),
    target(7,5,1), target(7,5,2), target(1,6,0), target(1,6,1), target(1,6,2), target(2,6,0),
    target(2,6,1), target(2,6,2), target(3,6,0), target(3,6,1), target(3,6,2), target(4,6,0),
    target(4,6,1), target(4,6,2), target(5,6,0), target(5,6,1), target(5,6,2), target(6,6,0),
    target(6,6,1), target(6,6,2), target(7,6,0), target(7,6,1), target(7,6,2)},
  {cell(1,1,0). cell(2,1,0). cell(3,1,0). cell(4,1,0). cell(5,1,0). cell(6,1,0). cell(7,1,0).
    cell(1,2,0). cell(2,2,0). cell(3,2,0). cell(4,2,0). cell(5,2,0). cell(6,2,0). cell(7,2,0).
    cell(1,3,0). cell(2,3,0). cell(3,3,0). cell(4,3,0). cell(5,3,0). cell(6,3,0). cell(7,3,0).
    cell(1,4,0). cell(2,4,0). cell(3,4,0). cell(4,4,0). cell(5,4,0). cell(6,4,0). cell(7,4,0).
    cell(1,5,0). cell(2,5,0). cell(3,5,0). cell(4,5,0). cell(5,5,0). cell(6,5,0). cell(7,5,0).
    cell(1,6,0). cell(2,6,0). cell(3,6,0). cell(4,6,0). cell(5,6,0). cell(6,6,0). cell(7,6,0).
    does(1,drop(4)).}).
