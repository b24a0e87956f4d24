% grl las preferences.las
role(1). role(2).
opponent(1,2). opponent(2,1).
col(X) :- cell(X,_,_).
row(Y) :- cell(_,Y,_).
target(X,Y) :- cell(X,Y,0), not cell(X,Y-1,0).
target(X,Y,P) :- target(X,Y), does(P,drop(X)).
check(P,X) :- cell(X,Y,P), cell(X,Y+1,P), cell(X,Y+2,P), cell(X,Y+3,0), role(P).
check(P,X) :- cell(X,Y,0), cell(X+1,Y,P), cell(X+2,Y,P), cell(X+3,Y,P), target(X,Y), role(P).
check(P,X) :- cell(X-1,Y,P), cell(X,Y,0), cell(X+1,Y,P), cell(X+2,Y,P), target(X,Y), role(P).
check(P,X) :- cell(X-2,Y,P), cell(X-1,Y,P), cell(X,Y,0), cell(X+1,Y,P), target(X,Y), role(P).
check(P,X) :- cell(X-3,Y,P), cell(X-2,Y,P), cell(X-1,Y,P), cell(X,Y,0), target(X,Y), role(P).
check(P,X) :- cell(X,Y,0), cell(X+1,Y+1,P), cell(X+2,Y+2,P), cell(X+3,Y+3,P), target(X,Y), role(P).
check(P,X) :- cell(X-1,Y-1,P), cell(X,Y,0), cell(X+1,Y+1,P), cell(X+2,Y+2,P), target(X,Y), role(P).
check(P,X) :- cell(X-2,Y-2,P), cell(X-1,Y-1,P), cell(X,Y,0), cell(X+1,Y+1,P), target(X,Y), role(P).
check(P,X) :- cell(X-3,Y-3,P), cell(X-2,Y-2,P), cell(X-1,Y-1,P), cell(X,Y,0), target(X,Y), role(P).
check(P,X) :- cell(X,Y,0), cell(X+1,Y-1,P), cell(X+2,Y-2,P), cell(X+3,Y-3,P), target(X,Y), role(P).
check(P,X) :- cell(X-1,Y+1,P), cell(X,Y,0), cell(X+1,Y-1,P), cell(X+2,Y-2,P), target(X,Y), role(P).
check(P,X) :- cell(X-2,Y+2,P), cell(X-1,Y+1,P), cell(X,Y,0), cell(X+1,Y-1,P), target(X,Y), role(P).
check(P,X) :- cell(X-3,Y+3,P), cell(X-2,Y+2,P), cell(X-1,Y+1,P), cell(X,Y,0), target(X,Y), role(P).
center(X) :- col(X), X > 2, X < 6.
#modeo(1,does(var(r),drop(var(x))),(positive)).
#modeo(1,check(var(r),var(x))).
#modeo(1,opponent(var(r),var(r)),(anti_reflexive)).
#modeo(1,target(var(x),var(y))).
#modeo(1,role(var(r))).
#modeo(1,center(var(x))).
#maxp(3).
#maxv(3).
#weight(20).

#pos(g20_14_3,
  {},
  {},
  {cell(1,1,1). cell(2,1,1). cell(3,1,0). cell(4,1,1). cell(5,1,1). cell(6,1,0). cell(7,1,1).
    cell(1,2,2). cell(2,2,2). cell(3,2,0). cell(4,2,2). cell(5,2,2). cell(6,2,0). cell(7,2,2).
    cell(1,3,0). cell(2,3,0). cell(3,3,0). cell(4,3,2). cell(5,3,1). cell(6,3,0). cell(7,3,1).
    cell(1,4,0). cell(2,4,0). cell(3,4,0). cell(4,4,2). cell(5,4,0). cell(6,4,0). cell(7,4,0).
    cell(1,5,0). cell(2,5,0). cell(3,5,0). cell(4,5,0). cell(5,5,0). cell(6,5,0). cell(7,5,0).
    cell(1,6,0). cell(2,6,0). cell(3,6,0). cell(4,6,0). cell(5,6,0). cell(6,6,0). cell(7,6,0).
    does(1,drop(3)).}).
#pos(g20_14_6,
  {},
  {},
  {cell(1,1,1). cell(2,1,1). cell(3,1,0). cell(4,1,1). cell(5,1,1). cell(6,1,0). cell(7,1,1).
    cell(1,2,2). cell(2,2,2). cell(3,2,0). cell(4,2,2). cell(5,2,2). cell(6,2,0). cell(7,2,2).
    cell(1,3,0). cell(2,3,0). cell(3,3,0). cell(4,3,2). cell(5,3,1). cell(6,3,0). cell(7,3,1).
    cell(1,4,0). cell(2,4,0). cell(3,4,0). cell(4,4,2). cell(5,4,0). cell(6,4,0). cell(7,4,0).
    cell(1,5,0). cell(2,5,0). cell(3,5,0). cell(4,5,0). cell(5,5,0). cell(6,5,0). cell(7,5,0).
    cell(1,6,0). cell(2,6,0). cell(3,6,0). cell(4,6,0). cell(5,6,0). cell(6,6,0). cell(7,6,0).
    does(1,drop(6)).}).
#pos(g20_14_4,
  {},
  {},
  {cell(1,1,1). cell(2,1,1). cell(3,1,0). cell(4,1,1). cell(5,1,1). cell(6,1,0). cell(7,1,1).
    cell(1,2,2). cell(2,2,2). cell(3,2,0). cell(4,2,2). cell(5,2,2). cell(6,2,0). cell(7,2,2).
    cell(1,3,0). cell(2,3,0). cell(3,3,0). cell(4,3,2). cell(5,3,1). cell(6,3,0). cell(7,3,1).
    cell(1,4,0). cell(2,4,0). cell(3,4,0). cell(4,4,2). cell(5,4,0). cell(6,4,0). cell(7,4,0).
    cell(1,5,0). cell(2,5,0). cell(3,5,0). cell(4,5,0). cell(5,5,0). cell(6,5,0). cell(7,5,0).
    cell(1,6,0). cell(2,6,0). cell(3,6,0). cell(4,6,0). cell(5,6,0). cell(6,6,0). cell(7,6,0).
    does(1,drop(4)).}).
#pos(g20_14_5,
  {},
  {},
  {cell(1,1,1). cell(2,1,1). cell(3,1,0). cell(4,1,1). cell(5,1,1). cell(6,1,0). cell(7,1,1).
    cell(1,2,2). cell(2,2,2). cell(3,2,0). cell(4,2,2). cell(5,2,2). cell(6,2,0). cell(7,2,2).
    cell(1,3,0). cell(2,3,0). cell(3,3,0). cell(4,3,2). cell(5,3,1). cell(6,3,0). cell(7,3,1).
    cell(1,4,0). cell(2,4,0). cell(3,4,0). cell(4,4,2). cell(5,4,0). cell(6,4,0). cell(7,4,0).
    cell(1,5,0). cell(2,5,0). cell(3,5,0). cell(4,5,0). cell(5,5,0). cell(6,5,0). cell(7,5,0).
    cell(1,6,0). cell(2,6,0). cell(3,6,0). cell(4,6,0). cell(5,6,0). cell(6,6,0). cell(7,6,0).
    does(1,drop(5)).}).
#pos(g20_14_1,
  {},
  {},
  {cell(1,1,1). cell(2,1,1). cell(3,1,0). cell(4,1,1). cell(5,1,1). cell(6,1,0). cell(7,1,1).
    cell(1,2,2). cell(2,2,2). cell(3,2,0). cell(4,2,2). cell(5,2,2). cell(6,2,0). cell(7,2,2).
    cell(1,3,0). cell(2,3,0). cell(3,3,0). cell(4,3,2). cell(5,3,1). cell(6,3,0). cell(7,3,1).
    cell(1,4,0). cell(2,4,0). cell(3,4,0). cell(4,4,2). cell(5,4,0). cell(6,4,0). cell(7,4,0).
    cell(1,5,0). cell(2,5,0). cell(3,5,0). cell(4,5,0). cell(5,5,0). cell(6,5,0). cell(7,5,0).
    cell(1,6,0). cell(2,6,0). cell(3,6,0). cell(4,6,0). cell(5,6,0). cell(6,6,0). cell(7,6,0).
    does(1,drop(1)).}).
#brave_ordering(g20_14_3_over_g20_14_6, g20_14_3, g20_14_6, <).
#brave_ordering(g20_14_6_over_g20_14_4, g20_14_6, g20_14_4, <).
#brave_ordering(g20_14_4_over_g20_14_5, g20_14_4, g20_14_5, <).
#brave_ordering(g20_14_5_over_g20_14_1, g20_14_5, g20_14_1, <).
