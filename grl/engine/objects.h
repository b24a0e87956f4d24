/* States as objects of Python, by its stable interface: the declarations that this needs, which every
   interpreter of version 3 keeps, and a type. Only who holds the interpreter's lock comes here. */

typedef long Py_ssize_t;
typedef struct PyObject { Py_ssize_t references; struct PyObject *type; } PyObject;
typedef struct { const char *name; PyObject *(*call)(PyObject *, PyObject *); int flags; const char *doc; } PyMethodDef;
typedef struct { const char *name; PyObject *(*get)(PyObject *, void *); int (*set)(PyObject *, PyObject *, void *); const char *doc; void *closure; } PyGetSetDef;
typedef struct { int slot; void *pfunc; } PyType_Slot;
typedef struct { const char *name; int basicsize, itemsize; unsigned flags; PyType_Slot *slots; } PyType_Spec;
PyObject *PyType_FromSpec(PyType_Spec *);
PyObject *PyType_GenericAlloc(PyObject *, Py_ssize_t);
void PyObject_Free(void *);
void Py_IncRef(PyObject *);
void Py_DecRef(PyObject *);
PyObject *PyLong_FromLong(long);
PyObject *PyBool_FromLong(long);
PyObject *PyBytes_FromStringAndSize(const char *, Py_ssize_t);
PyObject *PyObject_CallMethod(PyObject *, const char *, const char *, ...);
long PyLong_AsLong(PyObject *);
PyObject *PyErr_Occurred(void);
extern PyObject _Py_NotImplementedStruct, _Py_NoneStruct;

#define PLAIN_METHOD 0x0004
#define METHOD_OF_ONE 0x0008
enum { SLOT_DEALLOC = 52, SLOT_DOC = 56, SLOT_HASH = 59, SLOT_METHODS = 64, SLOT_COMPARE = 67, SLOT_GETSET = 73 };

typedef struct Node {
  PyObject head;
  PyObject *engine;   /* the object in Python that made the first state */
  struct Node *parent; /* the state before; 0 for the first */
  PyObject *origin;   /* the position that a first state was made of; else 0 */
  int number;         /* of the turn that led here from there */
  State state;
} Node;

static Space *held;       /* what states share that are asked one after the other */
static Node *listed;      /* the state whose turns are in it; nobody's reference */
static int listed_count;

static u64 state_number(const State *s) {
  u64 h = mixed(s->to_move + 1);
  for (int p = 0; p < PLAYERS; p++) h = effect_number(s, p, h);
#if MOVED
  for (int i = 0; i < WORDS; i++) h = mixed(h + set_word(s->moved, i));
#endif
#if LASTS
  for (int i = 0; i < LASTS; i++) h = mixed(h + s->last[i] + 1);
#endif
#if EVENTS
  for (int i = 0; i < EVENTS; i++) h = mixed(h + s->since[i]);
#endif
#if PASSES
  h = mixed(h + s->passes);
#endif
  return h;
}

static int state_same(const State *a, const State *b) {
  int same = a->to_move == b->to_move;
  for (int p = 0; p < PLAYERS; p++) same &= same_effect(a, b, p);
#if MOVED
  same &= set_same(a->moved, b->moved);
#endif
#if LASTS
  for (int i = 0; i < LASTS; i++) same &= a->last[i] == b->last[i];
#endif
#if EVENTS
  for (int i = 0; i < EVENTS; i++) same &= a->since[i] == b->since[i];
#endif
#if PASSES
  same &= a->passes == b->passes;
#endif
  return same;
}

/* An error of Python: the engine gives up. */
static int node_gives_up(Node *n) {
  PyObject *raised = PyObject_CallMethod(n->engine, "_give_up", "O", n);
  if (raised) Py_DecRef(raised);
  return -1;
}

#if SETWISE || COUNTED
static Node *counted; /* the state whose turns are found and not listed; nobody's reference */
static Found found;
#define SETS_ALONE (SETWISE && !MIXED && !ASKED && !(REACHED && DOUBTS)) /* what is found needs no list */
#endif

/* Lists the turns of a state: their number, or -1 with an error of Python. */
static int node_list(Node *n) {
  if (listed == n) return listed_count;
  listed = 0;
#if (SETWISE || COUNTED) && !SETS_ALONE
  counted = 0;
#endif
  if (!held && !(held = space_new())) return node_gives_up(n);
  held->depth = held->failed = 0;
  int count = legal_turns(held, frame_open(held), &n->state);
  if (held->failed) return node_gives_up(n);
  listed = n; listed_count = count;
  return count;
}

static int node_total(Node *n) {
#if SETWISE || COUNTED
  if (counted == n) return found.count;
  counted = 0;
  if (!held && !(held = space_new())) return node_list(n);
#if !SETS_ALONE
  listed = 0; /* some turns take the place of those that were listed */
#endif
  held->depth = held->failed = 0;
  find_turns(held, &n->state, &found);
  if (held->failed) return node_gives_up(n);
  counted = n;
  return found.count;
#else
  return node_list(n);
#endif
}

static void node_next(const Node *n, int number, State *out) {
  (void)n;
#if SETWISE || COUNTED
  play_found(&found, number, 1, out);
#else
  state_after(&held->frames[0], number, out);
#endif
}

static void node_free(PyObject *self) {
  Node *n = (Node *)self, *parent = n->parent;
  PyObject *type = self->type;
  if (listed == n) listed = 0;
#if SETWISE || COUNTED
  if (counted == n) counted = 0;
#endif
  Py_DecRef(n->engine);
  if (n->origin) Py_DecRef(n->origin);
  PyObject_Free(n);
  Py_DecRef(type);
  while (parent && (u32)parent->head.references == 1) { /* long games are given back without recursion */
    Node *above = parent->parent;
    parent->parent = 0;
    Py_DecRef((PyObject *)parent);
    parent = above;
  }
  if (parent) Py_DecRef((PyObject *)parent);
}

static Node *node_new(PyObject *type, PyObject *engine, Node *parent, int number) {
  Node *n = (Node *)PyType_GenericAlloc(type, 0);
  if (!n) return 0;
  Py_IncRef(engine);
  if (parent) Py_IncRef((PyObject *)parent);
  n->engine = engine; n->parent = parent; n->number = number;
  return n;
}

static PyObject *node_count(PyObject *self, PyObject *none) {
  int count = node_total((Node *)self);
  (void)none;
  return count < 0 ? 0 : PyLong_FromLong(count);
}

static PyObject *node_over(PyObject *self, void *closure) {
  int count = node_total((Node *)self);
  (void)closure;
  return count < 0 ? 0 : PyBool_FromLong(!count);
}

static PyObject *node_play(PyObject *self, PyObject *number) {
  Node *n = (Node *)self;
  int count = node_total(n);
  if (count < 0) return 0;
  long chosen = PyLong_AsLong(number);
  if (chosen == -1 && PyErr_Occurred()) return 0;
  if (chosen < 0 || chosen >= count)
    return PyObject_CallMethod(n->engine, "_no_turn", "li", chosen, count);
  Node *next = node_new(self->type, n->engine, n, (int)chosen);
  if (!next) return 0;
  node_next(n, (int)chosen, &next->state);
  return (PyObject *)next;
}

static PyObject *node_asked(PyObject *self, const char *what) {
  return PyObject_CallMethod(((Node *)self)->engine, what, "O", self);
}
static PyObject *node_turns(PyObject *self, PyObject *none) { (void)none; return node_asked(self, "_turns"); }
static PyObject *node_goals(PyObject *self, PyObject *none) { (void)none; return node_asked(self, "_goals"); }
static PyObject *node_position(PyObject *self, PyObject *none) { (void)none; return node_asked(self, "_position"); }
static PyObject *node_cells(PyObject *self, void *closure) { (void)closure; return node_asked(self, "_cells"); }
static PyObject *node_parent(PyObject *self, void *closure) {
  Node *parent = ((Node *)self)->parent;
  PyObject *found = parent ? (PyObject *)parent : &_Py_NoneStruct;
  (void)closure;
  Py_IncRef(found);
  return found;
}
static PyObject *node_origin(PyObject *self, void *closure) {
  PyObject *origin = ((Node *)self)->origin, *found = origin ? origin : &_Py_NoneStruct;
  (void)closure;
  Py_IncRef(found);
  return found;
}
static PyObject *node_mover(PyObject *self, void *closure) { (void)closure; return PyLong_FromLong(((Node *)self)->state.to_move); }
static PyObject *node_number(PyObject *self, void *closure) { (void)closure; return PyLong_FromLong(((Node *)self)->number); }
static PyObject *node_bytes(PyObject *self, void *closure) {
  (void)closure;
  return PyBytes_FromStringAndSize((const char *)&((Node *)self)->state, sizeof(State));
}

static Py_ssize_t node_hash(PyObject *self) {
  Py_ssize_t h = (Py_ssize_t)state_number(&((Node *)self)->state);
  return h == -1 ? -2 : h;
}

static PyObject *node_compare(PyObject *self, PyObject *other, int how) {
  if (other->type != self->type || (how != 2 && how != 3)) {
    Py_IncRef(&_Py_NotImplementedStruct);
    return &_Py_NotImplementedStruct;
  }
  int same = state_same(&((Node *)self)->state, &((Node *)other)->state);
  return PyBool_FromLong(how == 2 ? same : !same);
}

static PyMethodDef node_methods[] = {
  {"count", node_count, PLAIN_METHOD, "The number of legal turns; none where the game is over."},
  {"turns", node_turns, PLAIN_METHOD, "The legal turns as text, in the order of Rulebook.legal."},
  {"play", node_play, METHOD_OF_ONE, "The state after a legal turn, by its place in turns()."},
  {"goals", node_goals, PLAIN_METHOD, "0..100 for each player where the game is over."},
  {"position", node_position, PLAIN_METHOD, "The position, with the game since the first state."},
  {0, 0, 0, 0}};
static PyGetSetDef node_values[] = {
  {"over", node_over, 0, "Whether the game is over.", 0},
  {"cells", node_cells, 0, "What lies on each square, as in Position.cells.", 0},
  {"parent", node_parent, 0, "The state before, or None.", 0},
  {"number", node_number, 0, "The number of the turn that led here from the state before.", 0},
  {"origin", node_origin, 0, "The position that a first state was made of, or None.", 0},
  {"mover", node_mover, 0, "The place of the player to move among the players.", 0},
  {"data", node_bytes, 0, "The state as bytes, for bulk.", 0},
  {0, 0, 0, 0, 0}};
static PyType_Slot node_slots[] = {
  {SLOT_DEALLOC, node_free}, {SLOT_HASH, node_hash}, {SLOT_METHODS, node_methods},
  {SLOT_COMPARE, node_compare}, {SLOT_GETSET, node_values},
  {SLOT_DOC, "A state of a game: immutable, hashable."}, {0, 0}};
static PyType_Spec node_spec = {"grl.State", sizeof(Node), 0, 0, node_slots};

EXPORT PyObject *state_type(void) { return PyType_FromSpec(&node_spec); }

/* A first state, or one that follows `parent`, from bytes that state_load has written. */
EXPORT PyObject *state_object(PyObject *type, PyObject *engine, const State *state, PyObject *parent, PyObject *origin) {
  Node *n = node_new(type, engine, parent == &_Py_NoneStruct ? 0 : (Node *)parent, NONE);
  if (!n) return 0;
  n->state = *state;
  if (origin != &_Py_NoneStruct) { Py_IncRef(origin); n->origin = origin; }
#if TRAIL
  n->state.up = n->parent ? &n->parent->state : 0;
#endif
  return (PyObject *)n;
}

/* The memory in which the turns of a state are listed; 0 with an error of Python. */
EXPORT void *space_listing(PyObject *self) { return node_list((Node *)self) < 0 ? 0 : held; }
EXPORT const void *state_inside(PyObject *self) { return &((Node *)self)->state; }
