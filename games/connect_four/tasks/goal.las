% grl las goal.las
role(1). role(2).
opponent(1,2). opponent(2,1).
open(X) :- cell(X,_,0).
open :- open(X).
horz(X,Y,P) :- cell(X,Y,P), cell(X+1,Y,P), cell(X+2,Y,P), cell(X+3,Y,P), role(P).
vert(X,Y,P) :- cell(X,Y,P), cell(X,Y+1,P), cell(X,Y+2,P), cell(X,Y+3,P), role(P).
dia1(X,Y,P) :- cell(X,Y,P), cell(X+1,Y+1,P), cell(X+2,Y+2,P), cell(X+3,Y+3,P), role(P).
dia2(X,Y,P) :- cell(X,Y,P), cell(X+1,Y-1,P), cell(X+2,Y-2,P), cell(X+3,Y-3,P), role(P).
line(P) :- horz(X,Y,P).
line(P) :- vert(X,Y,P).
line(P) :- dia1(X,Y,P).
line(P) :- dia2(X,Y,P).
terminal :- line(P).
terminal :- not open.
#modeh(goal(var(p),const(s))).
#modeb(2,line(var(p))).
#modeb(1,opponent(var(p),var(p)),(positive)).
#modeb(1,terminal).
#constant(s,0). #constant(s,50). #constant(s,100).
#maxv(2).

#pos(g1_end,
  {goal(1,100), goal(2,0)},
  {goal(1,0), goal(1,50), goal(2,50), goal(2,100)},
  {cell(1,1,2). cell(2,1,2). cell(3,1,2). cell(4,1,1). cell(5,1,1). cell(6,1,1). cell(7,1,1).
    cell(1,2,0). cell(2,2,1). cell(3,2,0). cell(4,2,2). cell(5,2,2). cell(6,2,0). cell(7,2,1).
    cell(1,3,0). cell(2,3,0). cell(3,3,0). cell(4,3,0). cell(5,3,0). cell(6,3,0). cell(7,3,0).
    cell(1,4,0). cell(2,4,0). cell(3,4,0). cell(4,4,0). cell(5,4,0). cell(6,4,0). cell(7,4,0).
    cell(1,5,0). cell(2,5,0). cell(3,5,0). cell(4,5,0). cell(5,5,0). cell(6,5,0). cell(7,5,0).
    cell(1,6,0). cell(2,6,0). cell(3,6,0). cell(4,6,0). cell(5,6,0). cell(6,6,0). cell(7,6,0).}).
#pos(g15_end,
  {goal(1,50), goal(2,50)},
  {goal(1,0), goal(1,100), goal(2,0), goal(2,100)},
  {cell(1,1,1). cell(2,1,2). cell(3,1,1). cell(4,1,1). cell(5,1,1). cell(6,1,2). cell(7,1,2).
    cell(1,2,2). cell(2,2,1). cell(3,2,2). cell(4,2,2). cell(5,2,1). cell(6,2,2). cell(7,2,2).
    cell(1,3,1). cell(2,3,1). cell(3,3,2). cell(4,3,1). cell(5,3,1). cell(6,3,2). cell(7,3,1).
    cell(1,4,1). cell(2,4,2). cell(3,4,1). cell(4,4,1). cell(5,4,2). cell(6,4,1). cell(7,4,2).
    cell(1,5,1). cell(2,5,2). cell(3,5,1). cell(4,5,1). cell(5,5,2). cell(6,5,1). cell(7,5,2).
    cell(1,6,2). cell(2,6,2). cell(3,6,1). cell(4,6,2). cell(5,6,2). cell(6,6,2). cell(7,6,1).}).
