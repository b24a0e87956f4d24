/* Steps along lines, for terms. Directions are numbered as in grl.logic.grid: d and d + 4 are
   opposite. Defined before this text: way_ahead(d, a), the next squares of a set, way_behind(d, a),
   those to which its squares are next, WAY_LONGEST, by direction how many steps lead from a square
   to others before it comes again, and WAY_CLOSED, the squares whose lines come back to them. */

static UNUSED Set way_run(int d, Set a, Set within) {
  Set found = a = set_and(a, within);
  while (set_any(a)) {
    a = set_less(set_and(way_ahead(d, a), within), found);
    found = set_or(found, a);
  }
  return found;
}

static UNUSED Set way_run_up(int d, Set a, Set within) {
  Set found = a = set_and(a, within);
  while (set_any(a)) {
    a = set_less(set_and(way_behind(d, a), within), found);
    found = set_or(found, a);
  }
  return found;
}

/* The squares at which a line of n of a set begins. */
static UNUSED Set way_begun(int d, int n, Set a) {
  Set x = a;
  for (int i = 1; i < n && set_any(x); i++) x = set_and(a, way_behind(d, x));
  return x;
}

/* The squares of a set that are on a line of n of them, at least 2. */
static UNUSED Set way_lined(int d, int n, Set a) {
  Set x = way_begun(d, n, a), found = x;
  for (int i = 1; i < n && set_any(x); i++) {
    x = way_ahead(d, x);
    found = set_or(found, x);
  }
  return found;
}

/* The squares with n or more of a set in line, ahead and behind, n from 1 to 99. */
static UNUSED Set way_counted(int d, int n, Set a) {
  Set some[100]; /* by number: the squares with so many at least */
  for (int i = 0; i <= n; i++) some[i] = NO_SQUARE;
  for (int e = 0; e < 8; e += 4) {
    const int way = (d + e) & 7;
    Set x = e ? set_less(a, WAY_CLOSED[way]) : a;
    for (int steps = WAY_LONGEST[way]; steps && set_any(x); steps--) {
      x = way_behind(way, x);
      for (int i = n; i > 1; i--) some[i] = set_or(some[i], set_and(some[i - 1], x));
      some[1] = set_or(some[1], x);
    }
  }
  return some[n];
}

/* The squares that the ones of a set see over empty ones. */
static UNUSED Set way_sight(int d, Set a, Set empty) {
  Set found = a = way_ahead(d, a);
  while (set_any(a)) {
    a = set_less(way_ahead(d, set_and(a, empty)), found);
    found = set_or(found, a);
  }
  return found;
}

/* The squares in line with one of a set, and the set. */
static UNUSED Set way_through(int d, Set a) {
  Set found = a;
  for (int e = 0; e < 8; e += 4) {
    const int way = (d + e) & 7;
    Set x = a;
    for (int steps = WAY_LONGEST[way]; steps && set_any(x); steps--) {
      x = way_behind(way, x);
      found = set_or(found, x);
    }
  }
  return found;
}

/* The directions from a turn's start to its end, as bits. */
static UNUSED int way_onward(const Squares *t) {
  int ways = 0;
  if (!t || t->start[0] < 0 || t->end[0] < 0) return 0;
  for (int d = 0; d < 8; d++) {
    Set x = set_of(t->start[0]);
    for (int steps = WAY_LONGEST[d]; steps && set_any(x); steps--) {
      x = way_ahead(d, x);
      if (set_has(x, t->end[0])) ways |= 1 << d;
    }
  }
  return ways;
}
