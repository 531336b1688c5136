// Random networks for the random tester: every feature of the TChecker language, each behind a
// parameter. Small constants, frequent resets and a spanning tree of edges in every process
// make most locations reachable in some runs but not in all.
//
// The text must not depend on the compiler: never two random numbers in one expression.
#include "base/random.h"
#include "base/vec.h"
#include "language/gen/gen_family.h"

enum { SYNC_MAX = 4 };

typedef struct Variable {
  int low, high, size; // size 0: no array
} Variable;

typedef struct Sync {
  int count;
  int process[SYNC_MAX], event[SYNC_MAX];
  bool weak[SYNC_MAX];
} Sync;

typedef struct Net {
  Gen *gen;
  Text *out;
  Random random;
  int processes, clocks, locations, edges, constant, events;
  bool closed, diagonals, shared, bounds, range, faults;
  bool clock_array; // the first two clocks are z[0] and z[1]
  VEC(Variable) variables;
  VEC(Sync) syncs;
  int process; // the one being written
} Net;

static int between(Net *net, int low, int high) {
  return random_between(&net->random, low, high);
}

static int below(Net *net, int n) { return (int)random_below(&net->random, (uint32_t)n); }

static bool chance(Net *net, int odds) { return below(net, 100) < odds; }

static bool on(const Net *net, const char *param) { return gen_number(net->gen, param) != 0; }

// With the probability, in percent, that the user gave.
static bool happens(Net *net, const char *param) {
  return chance(net, gen_number(net->gen, param));
}

// One of n texts.
static const char *one_of(Net *net, int n, const char *const *texts) {
  return texts[below(net, n)];
}

static int some_variable(Net *net) { return below(net, (int)net->variables.size); }

// A variable; of an array, one of its cells. Without `faults` no value of another variable, not
// even one out of range that the same edge has just assigned, makes the index wrong.
static void add_variable(Net *net, int v) {
  const Variable *variable = net->variables.items + v;
  text_addf(net->out, "v%d", v);
  if (!variable->size)
    return;
  const int other = some_variable(net), cell = below(net, variable->size);
  if (net->variables.items[other].size || chance(net, 50))
    text_addf(net->out, "[%d]", cell);
  else if (net->faults)
    text_addf(net->out, "[v%d]", other);
  else
    text_addf(net->out, "[(if v%d==1 then %d else 0)]", other, cell);
}

// A value of the variable's range, and now and then one just outside.
static int near_value(Net *net, int v) {
  const Variable *variable = net->variables.items + v;
  const int outside = chance(net, 10);
  return between(net, variable->low, variable->high + outside);
}

static void add_int_atom(Net *net) {
  static const char *const compare[] = {"==", "==", "!=", "<", "<=", ">", ">="};
  const int v = some_variable(net), kind = below(net, 10);
  if (kind == 0) {
    add_variable(net, v);
    return;
  }
  text_add(net->out, kind <= 2 ? "!(" : "");
  add_variable(net, v);
  text_add(net->out, one_of(net, 7, compare));
  if (kind == 3)
    add_variable(net, some_variable(net));
  else
    text_addf(net->out, "%d", near_value(net, v));
  text_add(net->out, kind <= 2 ? ")" : "");
}

static void add_choice(Net *net, int yes, int no) {
  text_add(net->out, "(if ");
  add_int_atom(net);
  text_addf(net->out, " then %d else %d)", yes, no);
}

// A term over the integers; its value may be anything small.
static void add_term(Net *net) {
  static const char *const operators[] = {"+1", "-1", "*2", "/2", "%2"};
  const int v = some_variable(net), kind = below(net, 10);
  if (kind < 4) {
    add_variable(net, v);
    text_add(net->out, one_of(net, 5, operators));
  } else if (kind < 6) {
    text_addf(net->out, "%d", near_value(net, v));
  } else if (kind == 6) {
    const int yes = near_value(net, v), no = near_value(net, v);
    add_choice(net, yes, no);
  } else if (kind == 7) {
    text_add(net->out, "-");
    add_variable(net, v);
  } else {
    add_variable(net, v);
    text_add(net->out, kind == 8 ? "+" : net->faults ? "/" : "-");
    add_variable(net, some_variable(net));
  }
}

// A bound of a clock constraint, from `low` up: mostly a constant.
static void add_bound(Net *net, int low) {
  const int c = between(net, low, net->constant);
  if (!net->bounds || !net->variables.size || !chance(net, 20)) {
    text_addf(net->out, "%d", c);
  } else if (chance(net, 50)) {
    const int other = between(net, low, net->constant);
    add_choice(net, c, other);
  } else {
    add_variable(net, some_variable(net));
    if (c > 0)
      text_addf(net->out, "+%d", c);
  }
}

// A clock that the present process may use: with `shared` any, but its own more often. -1: none.
static int some_clock(Net *net) {
  if (net->clocks == 0)
    return -1;
  const int own = (net->clocks - net->process + net->processes - 1) / net->processes;
  if (net->shared && (own <= 0 || chance(net, 30)))
    return below(net, net->clocks);
  return own > 0 ? net->process + net->processes * below(net, own) : -1;
}

static void add_clock(Net *net, int clock) {
  text_addf(net->out, net->clock_array && clock < 2 ? "z[%d]" : "x%d", clock);
}

// x # c, c # x, c <= x <= d, x - y # c.
static void add_clock_atom(Net *net, int clock) {
  static const char *const upper[] = {"<=", "<", "=="};
  static const char *const lower[] = {">=", ">", "=="};
  const int kind = below(net, 10), strict = net->closed ? 0 : chance(net, 40);
  const int side = chance(net, 8) ? 2 : strict;
  const int other = net->diagonals ? some_clock(net) : clock;
  if (other != clock && chance(net, 60)) {
    add_clock(net, clock);
    text_add(net->out, "-");
    add_clock(net, other);
    text_add(net->out, kind < 5 ? upper[side] : lower[side]);
    text_addf(net->out, "%d", between(net, -net->constant, net->constant));
  } else if (kind < 4) {
    add_clock(net, clock);
    text_add(net->out, upper[side]);
    add_bound(net, strict);
  } else if (kind < 8) {
    add_clock(net, clock);
    text_add(net->out, lower[side]);
    add_bound(net, 0);
  } else if (kind == 8) {
    add_bound(net, 0);
    text_add(net->out, upper[strict]);
    add_clock(net, clock);
  } else {
    const int low = below(net, net->constant), wide = between(net, 1, net->constant - low);
    text_addf(net->out, "%d%s", low, upper[strict]);
    add_clock(net, clock);
    text_addf(net->out, "<=%d", low + wide);
  }
}

static void add_guard(Net *net) {
  const int clock = some_clock(net);
  const char *and = "provided:";
  const int atoms = clock < 0 || !happens(net, "guards") ? 0 : chance(net, 25) ? 2 : 1;
  for (int i = 0; i < atoms; i++, and = "&&") {
    text_add(net->out, and);
    add_clock_atom(net, i == 0 ? clock : some_clock(net));
  }
  if (net->variables.size && chance(net, 35)) {
    text_add(net->out, and);
    add_int_atom(net);
  }
}

// A number to set a clock to, or to add to it: not negative, as the language asks.
static void add_value(Net *net) {
  const int c = between(net, 1, net->constant);
  if (net->bounds && net->variables.size && chance(net, 30))
    add_choice(net, c, 0);
  else
    text_addf(net->out, "%d", c);
}

// Shifts are left out beside diagonals, unless they are asked for: together they make
// reachability undecidable.
static void add_clock_update(Net *net) {
  const int clock = some_clock(net), other = some_clock(net), kind = below(net, 10);
  add_clock(net, clock);
  text_add(net->out, "=");
  if (kind == 0 && on(net, "values")) {
    add_value(net);
  } else if (kind == 1 && on(net, "copies")) {
    add_clock(net, other);
  } else if (kind == 2 && on(net, "shifts") && (!net->diagonals || on(net, "drift"))) {
    add_clock(net, other);
    text_add(net->out, "+");
    if (net->faults && chance(net, 50))
      text_addf(net->out, "-%d", between(net, 1, net->constant));
    else
      add_value(net);
  } else {
    text_add(net->out, "0");
  }
}

static void add_assignment(Net *net) {
  const int v = some_variable(net);
  const Variable *variable = net->variables.items + v;
  const bool constant = chance(net, 40);
  const int value = between(net, variable->low, variable->high);
  add_variable(net, v);
  text_add(net->out, "=");
  if (constant)
    text_addf(net->out, "%d", value);
  else if (net->range)
    add_term(net);
  else
    add_choice(net, value, variable->low);
}

static void add_branch(Net *net, bool clocks) {
  text_add(net->out, "if ");
  add_int_atom(net);
  text_add(net->out, " then ");
  if (clocks && on(net, "branches"))
    add_clock_update(net);
  else
    add_assignment(net);
  if (chance(net, 50)) {
    text_add(net->out, " else ");
    if (chance(net, 50))
      add_assignment(net);
    else
      text_add(net->out, "nop");
  }
  text_add(net->out, " end");
}

// A compound statement. The local name `t` is used nowhere else.
static void add_compound(Net *net, bool clocks) {
  const int kind = below(net, 3);
  if (kind == 0) {
    add_branch(net, clocks);
  } else if (kind == 1) {
    text_add(net->out, chance(net, 50) ? "local t = 0; " : "local t; t = 0; ");
    text_addf(net->out, "while t<%d do ", between(net, 1, 2));
    add_assignment(net);
    text_add(net->out, "; t = t+1 end");
  } else {
    text_add(net->out, "local t[2]; t[1] = ");
    add_variable(net, some_variable(net));
    text_add(net->out, "; t[0] = t[1]; ");
    if (net->range) {
      add_variable(net, some_variable(net));
      text_add(net->out, " = t[0]");
    } else {
      add_assignment(net);
    }
  }
}

static void add_statements(Net *net) {
  const bool clocks = some_clock(net) >= 0;
  const char *next = "do:";
  if (clocks && happens(net, "resets")) {
    const int count = chance(net, 25) ? 2 : 1;
    for (int i = 0; i < count; i++, next = ";") {
      text_add(net->out, next);
      add_clock_update(net);
    }
  }
  if (net->variables.size && chance(net, 40)) {
    text_add(net->out, next);
    next = ";";
    add_assignment(net);
  }
  if (net->variables.size && on(net, "statements") && chance(net, 15)) {
    text_add(net->out, next);
    add_compound(net, clocks);
  }
}

// An invariant that does not exclude the initial state: upper bounds of clocks from 1 on, unless
// the location is not initial and so may ask for more.
static void add_invariant(Net *net, bool initial) {
  const int clock = some_clock(net);
  const bool wild = !initial && chance(net, 20), plain = chance(net, 70);
  if (clock < 0 || (wild && net->variables.size && !plain)) {
    if (initial || !net->variables.size)
      return;
    text_add(net->out, "invariant:");
    add_int_atom(net);
    return;
  }
  text_add(net->out, "invariant:");
  if (wild) {
    add_clock_atom(net, clock);
    return;
  }
  add_clock(net, clock);
  text_add(net->out, net->closed || plain ? "<=" : "<");
  if (initial)
    text_addf(net->out, "%d", between(net, 1, net->constant));
  else
    add_bound(net, 1);
}

static void add_location(Net *net, int location) {
  const bool initial = location == 0 || (on(net, "initials") && chance(net, 12));
  text_addf(net->out, "location:P%d:l%d{", net->process, location);
  text_add(net->out, initial ? "initial: : " : "");
  const size_t before = net->out->size;
  if (happens(net, "invariants"))
    add_invariant(net, initial);
  text_add(net->out, net->out->size > before ? " : " : "");
  if (happens(net, "committed"))
    text_add(net->out, "committed: : ");
  else if (happens(net, "urgent"))
    text_add(net->out, "urgent: : ");
  text_addf(net->out, "labels:P%d_l%d}\n", net->process, location);
}

// An event of a synchronisation that the present process takes part in, or tau.
static void add_event(Net *net) {
  int seen = 0, event = -1;
  for (uint32_t s = 0; s < net->syncs.size; s++)
    for (int i = 0; i < net->syncs.items[s].count; i++)
      if (net->syncs.items[s].process[i] == net->process && below(net, ++seen) == 0)
        event = net->syncs.items[s].event[i];
  if (event >= 0 && chance(net, 50))
    text_addf(net->out, "e%d", event);
  else
    text_add(net->out, "tau");
}

// The first edges form a tree, so that every location can be reached as far as the graph goes.
static void add_edge(Net *net, int edge) {
  const bool tree = edge + 1 < net->locations;
  const int source = below(net, tree ? edge + 1 : net->locations);
  const int target = tree ? edge + 1 : below(net, net->locations);
  text_addf(net->out, "edge:P%d:l%d:l%d:", net->process, source, target);
  add_event(net);
  text_add(net->out, "{");
  const size_t before = net->out->size;
  add_guard(net);
  const size_t after = net->out->size;
  if (after > before)
    text_add(net->out, " : ");
  const size_t separated = net->out->size;
  add_statements(net);
  if (net->out->size == separated && after > before) // nothing to separate
    net->out->chars[net->out->size = after] = 0;
  text_add(net->out, "}\n");
}

static void make_sync(Net *net) {
  const int max = net->processes < SYNC_MAX ? net->processes : SYNC_MAX;
  Sync sync = {.count = on(net, "nary") ? between(net, 2, max) : 2};
  for (int i = 0; i < sync.count;) {
    const int process = below(net, net->processes);
    bool used = false;
    for (int j = 0; j < i; j++)
      used |= sync.process[j] == process;
    if (used)
      continue;
    sync.process[i] = process;
    sync.event[i] = below(net, net->events);
    sync.weak[i] = on(net, "weak") && chance(net, 30);
    i++;
  }
  vec_push(net->out->mem, &net->syncs, sync);
}

static void make_variable(Net *net) {
  const int low = chance(net, 25) ? -1 : 0;
  const int high = low + between(net, 1, 3);
  const int size = on(net, "arrays") && chance(net, 30) ? between(net, 2, 3) : 0;
  const int first = between(net, low, high);
  text_addf(net->out, "int:%d:%d:%d:%d:v%u\n", size ? size : 1, low, high, first,
            net->variables.size);
  vec_push(net->out->mem, &net->variables, ((Variable){low, high, size}));
}

static void add_declarations(Net *net) {
  text_addf(net->out, "system:random_%d\nevent:tau\n", gen_number(net->gen, "seed"));
  for (int i = 0; i < net->events; i++)
    text_addf(net->out, "event:e%d\n", i);
  if (net->clock_array)
    text_add(net->out, "clock:2:z\n");
  for (int i = net->clock_array ? 2 : 0; i < net->clocks; i++)
    text_addf(net->out, "clock:1:x%d\n", i);
  for (int i = 0; i < gen_number(net->gen, "ints"); i++)
    make_variable(net);
}

static void add_syncs(Net *net) {
  for (uint32_t s = 0; s < net->syncs.size; s++) {
    const Sync *sync = net->syncs.items + s;
    text_add(net->out, "sync");
    for (int i = 0; i < sync->count; i++)
      text_addf(net->out, ":P%d@e%d%s", sync->process[i], sync->event[i],
                sync->weak[i] ? "?" : "");
    text_add(net->out, "\n");
  }
}

static Net net_init(Gen *gen) {
  Net net = {.gen = gen, .out = gen->out};
  random_seed(&net.random, (uint64_t)gen_number(gen, "seed"));
  net.processes = gen_number(gen, "processes");
  net.clocks = gen_number(gen, "clocks");
  net.locations = gen_number(gen, "locations");
  net.edges = gen_number(gen, "edges");
  net.constant = gen_number(gen, "constant");
  net.events = net.processes < 2 ? 0 : gen_number(gen, "syncs");
  net.closed = on(&net, "closed");
  net.diagonals = on(&net, "diagonals");
  net.shared = on(&net, "shared");
  net.bounds = on(&net, "bounds");
  net.range = on(&net, "range");
  net.faults = on(&net, "faults");
  net.clock_array = on(&net, "arrays") && net.clocks >= 2 && chance(&net, 30);
  return net;
}

void gen_random(Gen *gen) {
  Net net = net_init(gen);
  for (int i = 0; i < net.events; i++)
    make_sync(&net);
  add_declarations(&net);
  for (net.process = 0; net.process < net.processes; net.process++) {
    text_addf(gen->out, "process:P%d\n", net.process);
    for (int i = 0; i < net.locations; i++)
      add_location(&net, i);
    for (int i = 0; i < net.edges; i++)
      add_edge(&net, i);
  }
  add_syncs(&net);
  vec_release(gen->out->mem, &net.variables);
  vec_release(gen->out->mem, &net.syncs);
}
