/* A walk over nodes that stand in tables; those that do more than step are functions. */

static void hop_all(Walk *w, int s, const Place *p) {
  const u8 *view = views[p->seat];
  for (const Hop *h = hops + p->first; h < hops + p->last; h++) {
    const int t = steps[h->way][s];
    if (t < 0 || !(view[CELL(w, t)] & h->on)) continue;
    const i16 came = w->came;
    STEP_IN
    if (h->onto) w->came = (i16)s;
#if TIES
    const i16 here = h->here < 0 ? 0 : w->tie[h->here], there = h->there < 0 ? 0 : w->tie[h->there];
    if (h->here >= 0) w->tie[h->here] = (i16)s;
    if (h->there >= 0) w->tie[h->there] = (i16)t;
#endif
    walk_push(w, h->letter, t);
    visit(w, h->next, t);
    w->length--;
#if TIES
    if (h->there >= 0) w->tie[h->there] = there;
    if (h->here >= 0) w->tie[h->here] = here;
#endif
    STEP_OUT
    w->came = came;
  }
}

static void visit(Walk *w, int place, int s) {
  const Place *p = places + place;
  if (p->visit) {
    p->visit(w, s);
  } else if (p->begins) {
    SEGMENT_IN
    walk_set(w, s, p->begins, 0); LIFT_MOVED
    hop_all(w, s, p);
    walk_back(w, s, 0, p->begins);
    SEGMENT_OUT
  } else if (walk_enters(w, p->key, s, p->pending)) {
    if (p->ends) { PUT_IN(p->held) STOP(p->outer) walk_emit(w); PUT_OUT(p->held) }
    hop_all(w, s, p);
  }
}

static void walk_from(Walk *w, int s) {
  visit(w, starts[w->from->to_move * (KEYS + 1) + CELL(w, s)], s);
}
