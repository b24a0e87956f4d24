% grl las board_size.las -ml 4 --max-rule-length 5
role(1). role(2).
col(X) :- cell(X,_,_).
row(Y) :- cell(_,Y,_).
#modeh(board_size(var(x),var(y))).
#modeh(greaterX(var(x))).
#modeh(greaterY(var(y))).
#modeb(1,role(var(r))).
#modeb(1,greaterX(var(x))).
#modeb(1,greaterY(var(y))).
#modeb(2,col(var(x))).
#modeb(2,row(var(y))).
#modeb(1,var(x) > var(x)).
#modeb(1,var(y) > var(y)).
#maxv(2).

#pos(g1_0,
  {board_size(7,6)},
  {board_size(1,1), board_size(1,2), board_size(1,3), board_size(1,4), board_size(1,5),
    board_size(1,6), board_size(1,7), board_size(2,1), board_size(2,2), board_size(2,3),
    board_size(2,4), board_size(2,5), board_size(2,6), board_size(2,7), board_size(3,1),
    board_size(3,2), board_size(3,3), board_size(3,4), board_size(3,5), board_size(3,6),
    board_size(3,7), board_size(4,1), board_size(4,2), board_size(4,3), board_size(4,4),
    board_size(4,5), board_size(4,6), board_size(4,7), board_size(5,1), board_size(5,2),
    board_size(5,3), board_size(5,4), board_size(5,5), board_size(5,6), board_size(5,7),
    board_size(6,1), board_size(6,2), board_size(6,3), board_size(6,4), board_size(6,5),
    board_size(6,6), board_size(6,7), board_size(7,1), board_size(7,2), board_size(7,3),
    board_size(7,4), board_size(7,5), board_size(7,7)},
  {cell(1,1,0). cell(2,1,0). cell(3,1,0). cell(4,1,0). cell(5,1,0). cell(6,1,0). cell(7,1,0).
    cell(1,2,0). cell(2,2,0). cell(3,2,0). cell(4,2,0). cell(5,2,0). cell(6,2,0). cell(7,2,0).
    cell(1,3,0). cell(2,3,0). cell(3,3,0). cell(4,3,0). cell(5,3,0). cell(6,3,0). cell(7,3,0).
    cell(1,4,0). cell(2,4,0). cell(3,4,0). cell(4,4,0). cell(5,4,0). cell(6,4,0). cell(7,4,0).
    cell(1,5,0). cell(2,5,0). cell(3,5,0). cell(4,5,0). cell(5,5,0). cell(6,5,0). cell(7,5,0).
    cell(1,6,0). cell(2,6,0). cell(3,6,0). cell(4,6,0). cell(5,6,0). cell(6,6,0). cell(7,6,0).}).
