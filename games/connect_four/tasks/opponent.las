% grl las opponent.las
role(1). role(2).
#modeh(opponent(var(r),var(r))).
#modeb(2,role(var(r))).
#modeb(1,var(r) < var(r)).
#modeb(1,var(r) != var(r)).
#maxv(2).

#pos(players,
  {opponent(1,2), opponent(2,1)},
  {opponent(1,1), opponent(2,2)}).
