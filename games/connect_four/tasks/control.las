% grl las control.las
role(1). role(2).
col(X) :- cell(X,_,_).
row(Y) :- cell(_,Y,_).
board_size(M,N) :- col(M), row(N), not col(M+1), not row(N+1).
count(1,0,P,0) :- role(P).
count(X,Y,P,N+1) :- count(X,Y-1,P,N), cell(X,Y,P).
count(X,Y,P,N) :- count(X,Y-1,P,N), cell(X,Y,_), not cell(X,Y,P).
count(X,1,P,N+1) :- count(X-1,Y-1,P,N), not cell(X-1,Y,_), cell(X,1,P).
count(X,1,P,N) :- count(X-1,Y-1,P,N), not cell(X-1,Y,_), cell(X,1,_), not cell(X,1,P).
numberOf(P,N) :- count(X,Y,P,N), board_size(X,Y).
#modeh(control(var(r))).
#modeb(2,numberOf(var(r),var(n)),(positive)).
#modeb(1,var(n) < var(n)).
#modeb(1,var(r) < var(r)).
#maxv(4).

#pos(g1_0,
  {control(1)},
  {control(2)},
  {cell(1,1,0). cell(2,1,0). cell(3,1,0). cell(4,1,0). cell(5,1,0). cell(6,1,0). cell(7,1,0).
    cell(1,2,0). cell(2,2,0). cell(3,2,0). cell(4,2,0). cell(5,2,0). cell(6,2,0). cell(7,2,0).
    cell(1,3,0). cell(2,3,0). cell(3,3,0). cell(4,3,0). cell(5,3,0). cell(6,3,0). cell(7,3,0).
    cell(1,4,0). cell(2,4,0). cell(3,4,0). cell(4,4,0). cell(5,4,0). cell(6,4,0). cell(7,4,0).
    cell(1,5,0). cell(2,5,0). cell(3,5,0). cell(4,5,0). cell(5,5,0). cell(6,5,0). cell(7,5,0).
    cell(1,6,0). cell(2,6,0). cell(3,6,0). cell(4,6,0). cell(5,6,0). cell(6,6,0). cell(7,6,0).}).
#pos(g1_7,
  {control(2)},
  {control(1)},
  {cell(1,1,0). cell(2,1,2). cell(3,1,2). cell(4,1,1). cell(5,1,1). cell(6,1,0). cell(7,1,1).
    cell(1,2,0). cell(2,2,0). cell(3,2,0). cell(4,2,2). cell(5,2,0). cell(6,2,0). cell(7,2,1).
    cell(1,3,0). cell(2,3,0). cell(3,3,0). cell(4,3,0). cell(5,3,0). cell(6,3,0). cell(7,3,0).
    cell(1,4,0). cell(2,4,0). cell(3,4,0). cell(4,4,0). cell(5,4,0). cell(6,4,0). cell(7,4,0).
    cell(1,5,0). cell(2,5,0). cell(3,5,0). cell(4,5,0). cell(5,5,0). cell(6,5,0). cell(7,5,0).
    cell(1,6,0). cell(2,6,0). cell(3,6,0). cell(4,6,0). cell(5,6,0). cell(6,6,0). cell(7,6,0).}).
