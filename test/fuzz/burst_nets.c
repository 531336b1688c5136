#include "burst_nets.h"

#include "sample.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { PROCESSES = 4, LOCATIONS = 4, PART = 160 };

typedef struct Instance {
  char name[16];
  unsigned locations;
  bool has_clock, has_local;
} Instance;

typedef struct Maker {
  BurstNet *net;
  unsigned long long random;
  size_t size; // of the text
  // What this network has more or less of, in percent:
  unsigned committed, urgent, ends, lates, guards, shared, counts, synced, harms, clocks,
      branches;
  bool fails;       // at run time, perhaps
  bool has_special; // clock guards on receivers of broadcasts and on urgent channels
  bool is_urgent[3], is_broadcast[3]; // channels ping, pong and those of d
  Instance instances[PROCESSES];
  unsigned count;
  // Of the template at hand:
  unsigned own; // 0 to 3: what it uses if it does not share
  bool is_free, has_clock, has_local, has_choice;
  bool marks_id;                          // a cell of each instance
  unsigned locations, ends_at[LOCATIONS]; // 0: no end
} Maker;

static unsigned below(Maker *m, unsigned n) { return sample_below(&m->random, n); }
static bool chance(Maker *m, unsigned percent) { return below(m, 100) < percent; }

#define add(m, ...) sample_add((m)->net->text, BURST_TEXT, &(m)->size, __VA_ARGS__)
#define part(text, ...) sample_part(text, PART, __VA_ARGS__)

static const char *pick(Maker *m, const char *const *words, unsigned count) {
  return words[below(m, count)];
}
#define PICK(m, ...)                                                                             \
  pick(m, (const char *const[]){__VA_ARGS__},                                                    \
       sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

// --- What is named. A cell is an integer from 0 to 3.

static void cell(Maker *m, char *text) {
  if (chance(m, m->shared))
    snprintf(text, PART, "%s",
             PICK(m, "up", "down", "s[0].p", "s[1].q", "a[up]", "a[i]", "a[3 - i]", "i", "a[0]",
                  m->has_choice ? "a[k]" : "a[s[0].p]"));
  else if (m->has_local && chance(m, 40))
    snprintf(text, PART, "l");
  else if (m->marks_id && chance(m, 60))
    snprintf(text, PART, "%s", PICK(m, "a[id]", "s[id % 2].p"));
  else if (!m->is_free && chance(m, 50))
    snprintf(text, PART, "r");
  else
    snprintf(text, PART, "a[%u]", m->own);
}

static void value(Maker *m, char *text) {
  char other[PART];
  cell(m, other);
  switch (below(m, 8)) {
  case 0:
    snprintf(text, PART, "%s", other);
    break;
  case 1:
    snprintf(text, PART, "(%.60s + 1) %% 4", other);
    break;
  case 2:
    snprintf(text, PART, chance(m, m->shared) ? "get(%.60s)" : "twice(%.60s)", other);
    break;
  case 3:
    if (chance(m, m->shared)) {
      snprintf(text, PART, "%s", PICK(m, "most()", "i", "(full() ? 2 : 1)"));
      break;
    } // fall through
  default:
    snprintf(text, PART, "%u", below(m, 3));
  }
}

static const char *own_clock(Maker *m) {
  return m->has_clock && !chance(m, m->clocks) ? "z" : PICK(m, "g[0]", "g[1]", "g[0]");
}

// --- Labels.

static void add_invariant(Maker *m, unsigned l, char *text) {
  m->ends_at[l] = 0;
  if (chance(m, m->ends)) {
    m->ends_at[l] = 1 + chance(m, m->lates);
    part(text, " && ", "%s <= %u", own_clock(m), m->ends_at[l]);
  }
  if (chance(m, m->harms)) {
    char other[PART];
    cell(m, other);
    if (chance(m, 30))
      part(text, " && ", "%s <= %.60s + 1", own_clock(m), other);
    else
      part(text, " && ", "%.60s %s", other, PICK(m, "<= 2", ">= 0", "<= 1", "!= 3"));
  }
}

static void data_test(Maker *m, char *text) {
  char left[PART], right[PART];
  switch (below(m, 10)) {
  case 0:
    if (chance(m, m->shared)) {
      part(text, " && ", "%s",
           PICK(m, "full()", "!full()", "(forall (n : int[0,3]) a[n] <= 2)",
                "(exists (n : int[0,1]) s[n].p == 1)", "(b || i == 0)", "!b"));
      return;
    } // fall through
  case 1:
    if (m->is_free) {
      part(text, " && ", "%s", PICK(m, "id == 0", "id <= 1", "a[id] == 0"));
      return;
    } // fall through
  default:
    cell(m, left);
    value(m, right);
    part(text, " && ", "%.60s %s %.60s", left, PICK(m, "==", "!=", "<", ">=", "<="), right);
  }
}

static void add_guard(Maker *m, unsigned from, bool tests_clocks, bool is_way, char *text) {
  if (tests_clocks && m->ends_at[from] && chance(m, 60))
    part(text, " && ", "%s %s %u", m->has_clock ? "z" : "g[0]", PICK(m, ">=", "==", ">="),
         m->ends_at[from]);
  else if (tests_clocks && !is_way && chance(m, m->guards / 2))
    part(text, " && ", "%s %s %u", own_clock(m), PICK(m, ">=", ">", "<", "<=", ">="),
         1 + below(m, 2));
  if (is_way)
    return;
  if (chance(m, m->guards))
    data_test(m, text);
  if (chance(m, m->guards / 3))
    data_test(m, text);
}

static void add_count(Maker *m, char *text) {
  if (m->fails)
    part(text, ", ", "%s", PICK(m, "up++", "down--", "up += 1", "count()", "i++"));
  else
    part(text, ", ", "%s", PICK(m, "count()", "drop()", "count()", "up = (up + 1) % 4"));
}

static void add_update(Maker *m, char *text) {
  char left[PART], right[PART];
  if (chance(m, 45))
    part(text, ", ", "%s = %s", own_clock(m), chance(m, 90) ? "0" : PICK(m, "1", "2"));
  if (chance(m, m->counts))
    add_count(m, text);
  for (unsigned n = 0; n < 2 && chance(m, 55); n++) {
    cell(m, left);
    value(m, right);
    const unsigned which = below(m, 8);
    if (which < 4)
      part(text, ", ", "%.60s = %.60s", left, right);
    else if (which == 4)
      part(text, ", ", "move(%.60s)", left);
    else if (which == 5)
      part(text, ", ", chance(m, m->shared) ? "put(%.60s, %u)" : "r_set(%.60s, %u)", left,
           below(m, 3));
    else if (chance(m, m->shared))
      part(text, ", ", "%s",
           PICK(m, "swap(s[0], s[1])", "shift()", "s[1] = s[0]", "b = !b", "b = full()",
                "i = a[i]"));
    else
      part(text, ", ", "%.60s = %u", left, below(m, 2));
  }
  if (m->fails && chance(m, 10)) {
    cell(m, left);
    if (chance(m, 60))
      part(text, ", ", "i = a[%.60s + 1]", left);
    else
      part(text, ", ", "i = 3 / %.60s", left);
  }
}

// A way is an edge that can mostly be taken.
static void add_edge(Maker *m, unsigned from, bool is_way, unsigned *branch_points,
                     bool *is_first, unsigned l_count) {
  char guard[PART] = "", update[PART] = "", target[16];
  const int channel = chance(m, m->synced) && !is_way ? (int)below(m, 3) : -1;
  const bool receives = chance(m, 50), branches = chance(m, m->branches) && *branch_points < 2;
  const bool is_special =
      channel >= 0 && (m->is_urgent[channel] || (m->is_broadcast[channel] && receives));
  m->has_choice = chance(m, channel == 2 ? 50 : 15);
  add_guard(m, from, !is_special || m->has_special, is_way, guard);
  add_update(m, update);
  if (branches)
    snprintf(target, sizeof target, "y%u", *branch_points);
  else
    snprintf(target, sizeof target, "l%u", below(m, l_count));
  add(m, "%s    l%u -> %s {%s", *is_first ? "  trans\n" : ",\n", from, target,
      m->has_choice ? " select k : int[0,1];" : "");
  *is_first = false;
  if (*guard)
    add(m, " guard %s;", guard);
  if (channel == 2)
    add(m, " sync d[%s]%c;",
        m->has_choice ? "k"
                      : PICK(m, "0", "1", "id % 2", "0", chance(m, m->shared) ? "i % 2" : "1"),
        receives ? '?' : '!');
  else if (channel >= 0)
    add(m, " sync %s%c;", channel ? "pong" : "ping", receives ? '?' : '!');
  if (*update)
    add(m, " assign %s;", update);
  add(m, " }");
  m->has_choice = false;
  if (!branches)
    return;
  for (unsigned n = 0; n < 2; n++) {
    *update = '\0';
    add_update(m, update);
    add(m, ",\n    y%u -> l%u {%s%s%s probability %u; }", *branch_points, below(m, l_count),
        *update ? " assign " : "", update, *update ? ";" : "", 1 + n);
  }
  ++*branch_points;
}

// --- Templates.

static void add_marked(Maker *m, const char *kinds, char kind, const char *word) {
  unsigned count = 0;
  for (unsigned l = 0; l < m->locations; l++)
    if (kinds[l] == kind)
      add(m, "%sl%u", count++ ? ", " : word, l);
  if (count)
    add(m, ";\n");
}

static void add_locations(Maker *m, unsigned l_count, unsigned points) {
  char kinds[LOCATIONS + 1] = "";
  m->locations = l_count;
  for (unsigned l = 0; l < l_count; l++) {
    char invariant[PART] = "";
    kinds[l] = chance(m, l ? m->committed : m->committed / 4) ? 'c'
               : chance(m, m->urgent)                         ? 'u'
                                                              : ' ';
    add_invariant(m, l, invariant);
    add(m, "%sl%u", l ? ", " : "  state ", l);
    if (*invariant)
      add(m, " { %s }", invariant);
  }
  add(m, ";\n");
  if (points)
    add(m, "  branchpoint y0, y1;\n");
  add_marked(m, kinds, 'c', "  commit ");
  add_marked(m, kinds, 'u', "  urgent ");
  add(m, "  init l0;\n");
}

static void add_instance(Maker *m, unsigned number, char kind, unsigned k) {
  Instance *instance = &m->instances[m->count++];
  snprintf(instance->name, sizeof instance->name, kind == 'T' ? "T%u(%u)" : "P%u_%u", number % 10,
           k % 10);
  instance->locations = m->locations;
  instance->has_clock = m->has_clock;
  instance->has_local = m->has_local;
}

// One template with its processes; returns whether each value of its parameter has one.
static bool add_template(Maker *m, unsigned number, unsigned left) {
  const unsigned twins = 2 + chance(m, 30), l_count = 2 + below(m, LOCATIONS - 1);
  m->is_free = left >= twins && chance(m, 50);
  m->own = number % 4;
  m->has_clock = chance(m, 75);
  m->has_local = chance(m, 40);
  m->marks_id = chance(m, m->is_free ? 50 : 20);
  if (m->is_free)
    add(m, "process T%u(const int[0,%u] id) {\n", number, twins - 1);
  else
    add(m, "process T%u(const int[0,3] id, int[0,3] &r) {\n", number);
  add(m, "%s%s", m->has_clock ? "  clock z;\n" : "", m->has_local ? "  int[0,3] l;\n" : "");
  const unsigned branches = m->branches;
  add_locations(m, l_count, branches);
  unsigned points = 0, edges = l_count + below(m, 3);
  bool is_first = true;
  for (unsigned e = 0; e < edges; e++)
    add_edge(m, e < l_count ? e : below(m, l_count), e < l_count && chance(m, 55), &points,
             &is_first, l_count);
  for (; branches && points < 2; points++) // all have a way out
    add(m, ",\n    y%u -> l0 { }", points);
  add(m, ";\n}\n");
  if (m->is_free) {
    for (unsigned k = 0; k < twins; k++)
      add_instance(m, number, 'T', k);
    return true;
  }
  const unsigned copies = 1 + (left > 1 && chance(m, 50));
  for (unsigned k = 0; k < copies; k++) {
    add_instance(m, number, 'P', k);
    add(m, "P%u_%u = T%u(%u, %s);\n", number, k, number, below(m, 4),
        chance(m, m->shared) ? PICK(m, "i", "up", "s[1].p") : PICK(m, "a[1]", "a[2]", "a[3]"));
  }
  return false;
}

static void add_globals(Maker *m) {
  add(m,
      "clock g[2];\ntypedef struct { int[0,3] p; int[0,3] q; } pair_t;\npair_t s[2];\n"
      "int[0,3] a[4] = { 0, %u, 0, %u }, i, up, down = 3;\nbool b;\n",
      below(m, 3), below(m, 3));
  for (unsigned c = 0; c < 3; c++)
    add(m, "%s%schan %s;\n", m->is_urgent[c] ? "urgent " : "",
        m->is_broadcast[c] ? "broadcast " : "",
        c == 0   ? "ping"
        : c == 1 ? "pong"
                 : "d[2]");
  add(m, "void put(int[0,3] k, int[0,3] v) { a[k] = v; }\n"
         "int[0,3] get(int[0,3] k) { return a[k]; }\n"
         "int[0,3] twice(int[0,3] k) { return (2 * k) %% 4; }\n"
         "void r_set(int[0,3] &n, int[0,3] v) { if (n != v) n = v; }\n"
         "void move(int[0,3] &n) { n = (n + 1) %% 4; }\n"
         "void count() { if (up < 3) up++; }\n"
         "void drop() { if (down > 0) down--; }\n"
         "bool full() { return up >= 2; }\n"
         "int[0,3] most() {\n  int[0,3] k = 0;\n  for (e : int[0,3])\n    if (a[e] > k)\n"
         "      k = a[e];\n  return k;\n}\n"
         "void swap(pair_t &x, pair_t &y) { pair_t old = x; x = y; y = old; }\n"
         "void shift() {\n  int e;\n  for (e = 0; e < 3; e++)\n    a[e] = a[e + 1];\n"
         "  a[3] = i;\n}\n");
}

static void add_system(Maker *m) {
  const unsigned wanted = chance(m, 10) ? 2 : 3 + below(m, PROCESSES - 2);
  char system[200] = "";
  for (unsigned number = 0; m->count < wanted; number++) {
    const unsigned first = m->count;
    const bool is_free = add_template(m, number, wanted - m->count);
    for (unsigned k = first; k < (is_free ? first + 1 : m->count); k++) {
      char name[16];
      snprintf(name, sizeof name, "%s", m->instances[k].name);
      name[strcspn(name, "(")] = '\0';
      part(system, ", ", "%s", name);
    }
  }
  add(m, "system %s;\n", system);
}

// --- Queries.

static void add_place(Maker *m, char *text) {
  const Instance *p = &m->instances[below(m, m->count)];
  part(text, " && ", "%s.l%u", p->name, below(m, p->locations));
}

static void add_data(Maker *m, char *text) {
  const Instance *p = &m->instances[below(m, m->count)];
  if (p->has_local && chance(m, 40))
    part(text, " && ", "%s.l %s %u", p->name, PICK(m, "==", ">="), below(m, 3));
  else if (chance(m, 20))
    part(text, " && ", "%s",
         PICK(m, "forall (n : int[0,3]) a[n] == 0", "exists (n : int[0,1]) s[n].p > s[n].q",
              "a[i] == 1", "full()", "most() == 2", "b"));
  else
    part(text, " && ", "%s %s %u", PICK(m, "up", "down", "i", "a[0]", "a[1]", "a[2]", "s[0].p"),
         PICK(m, "==", "==", ">=", "<"), below(m, 4));
}

static void add_clock(Maker *m, char *text) {
  const Instance *p = &m->instances[below(m, m->count)];
  if (p->has_clock && chance(m, 60))
    part(text, " && ", "%s.z %s %u", p->name, PICK(m, "<", "<=", ">=", ">", "=="), below(m, 4));
  else
    part(text, " && ", "g[%u] %s %u", below(m, 2), PICK(m, "<", "<=", ">=", ">"),
         1 + below(m, 3));
}

static void make_query(Maker *m, unsigned number, char *query) {
  static const char *const starts[BURST_QUERIES] = {
      "E<> ", "E<> ",     "E<> ", "A[] not deadlock", "E<> deadlock && ", "A[] (deadlock imply ",
      "E<> ", "A[] not ("};
  char text[PART] = "";
  if (number == 0 || number == 4 || chance(m, 40))
    add_place(m, text);
  if (number == 0)
    add_place(m, text);
  if (number == 1 || number == 2 || number == 5 || number == 7)
    add_data(m, text);
  if (number == 2 || chance(m, 25))
    add_data(m, text);
  if (number == 6)
    add_clock(m, text);
  snprintf(query, BURST_QUERY, "%s%s%s", starts[number], number == 3 ? "" : text,
           number == 5 || number == 7 ? ")" : "");
}

void burst_nets_make(BurstNet *net, unsigned long seed) {
  Maker m = {.net = net, .random = seed * 2 + 1};
  *net = (BurstNet){0};
  for (int k = 0; k < 3; k++)
    below(&m, 2);
  m.committed = chance(&m, 45) ? 0 : 30;
  m.urgent = chance(&m, 20) ? 0 : 45;
  m.ends = chance(&m, 35) ? 35 : 80;
  m.lates = chance(&m, 70) ? 10 : 50;
  m.guards = 5 + below(&m, 45);
  m.shared = chance(&m, 70) ? 5 : 35;
  m.counts = chance(&m, 50) ? 10 : 50;
  m.synced = chance(&m, 40) ? 5 : 40;
  m.harms = chance(&m, 70) ? 0 : 30;
  m.clocks = chance(&m, 60) ? 5 : 40;
  m.branches = chance(&m, 75) ? 0 : 25;
  m.fails = chance(&m, 20);
  m.has_special = chance(&m, 10);
  for (unsigned c = 0; c < 3; c++) {
    m.is_broadcast[c] = chance(&m, 50);
    m.is_urgent[c] = chance(&m, 25);
  }
  add_globals(&m);
  add_system(&m);
  for (unsigned k = 0; k < BURST_QUERIES; k++)
    make_query(&m, k, net->queries[k]);
}
