#include "loose_nets.h"

#include "sample.h"

enum { MOST = 5, CHANNELS = 3, LABEL = 200 };

typedef struct Maker {
  LooseNet *net;
  unsigned long long random;
  size_t size; // of the text
  unsigned processes, locations[MOST];
  int is_tight, fails; // processes read each other's variables; errors can happen
} Maker;

static unsigned below(Maker *m, unsigned n) { return sample_below(&m->random, n); }
static int chance(Maker *m, unsigned percent) { return below(m, 100) < percent; }

#define ADD(m, ...) sample_add((m)->net->text, LOOSE_TEXT, &(m)->size, __VA_ARGS__)
#define PICK(m, ...)                                                                             \
  ((const char *const[]){                                                                        \
      __VA_ARGS__})[below((m), sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))]

// The process whose variable is meant: mostly this one.
static unsigned whose(Maker *m, unsigned p) {
  return chance(m, m->is_tight ? 30 : 8) ? below(m, m->processes) : p;
}

static void add_guard(Maker *m, unsigned p, char *guard) {
  if (chance(m, 40))
    sample_part(guard, LABEL, " && ", "v[%u] %s %u", whose(m, p), PICK(m, "==", "!=", "<=", ">"),
                below(m, 3));
  if (chance(m, 35))
    sample_part(guard, LABEL, " && ", "x[%u] %s %u", whose(m, p), PICK(m, ">=", ">", "<=", "<"),
                below(m, 4));
  if (chance(m, m->is_tight ? 15 : 4))
    sample_part(guard, LABEL, " && ", "%s == %u", PICK(m, "i", "j", "a[i]", "a[1]", "v[j]"),
                below(m, 3));
}

static void add_update(Maker *m, unsigned p, char *update) {
  for (int parts = 0; parts < 3 && chance(m, 45); parts++) {
    const unsigned q = whose(m, p);
    switch (below(m, m->fails ? 9 : 8)) {
    case 0:
    case 1:
      sample_part(update, LABEL, ", ", "v[%u] = %u", q, below(m, 3));
      break;
    case 2:
      sample_part(update, LABEL, ", ", "x[%u] = 0", q);
      break;
    case 3:
      sample_part(update, LABEL, ", ", "%s",
                  PICK(m, "i = (i + 1) % 3", "i = 1", "j = i", "a[i] = 1", "a[1] = j"));
      break;
    case 4:
      sample_part(update, LABEL, ", ", "v[%u] = (v[%u] + 1) %% 3", q, q);
      break;
    case 5:
      sample_part(update, LABEL, ", ", "%s",
                  PICK(m, "i = i < 2 ? i + 1 : 0", "count()", "j = a[i]"));
      break;
    case 6:
      sample_part(update, LABEL, ", ", "v[%u] = %s", q, PICK(m, "0", "1", "2", "j", "i"));
      break;
    case 7:
      sample_part(update, LABEL, ", ", "j = v[%u]", q);
      break;
    default:
      sample_part(update, LABEL, ", ", "%s", PICK(m, "i++", "d[i] = 1", "j = i + 1", "j = d[i]"));
    }
  }
}

static void add_edge(Maker *m, unsigned p, int is_first) {
  char guard[LABEL] = "", update[LABEL] = "";
  add_guard(m, p, guard);
  add_update(m, p, update);
  ADD(m, "%s\n    l%u -> l%u { ", is_first ? "" : ",", below(m, m->locations[p]),
      below(m, m->locations[p]));
  if (*guard)
    ADD(m, "guard %s; ", guard);
  if (chance(m, 50))
    ADD(m, "sync c%u%s; ", below(m, CHANNELS), PICK(m, "!", "?"));
  if (*update)
    ADD(m, "assign %s; ", update);
  ADD(m, "}");
}

// Some locations are of a kind, but for those that are `taken`; returns both.
static unsigned add_kind(Maker *m, unsigned p, const char *kind, unsigned taken) {
  int is_first = 1;
  for (unsigned l = 0; l < m->locations[p]; l++)
    if (chance(m, 10) && !(taken >> l & 1)) {
      ADD(m, "%s%sl%u", is_first ? "  " : ", ", is_first ? kind : "", l);
      is_first = 0;
      taken |= 1u << l;
    }
  if (!is_first)
    ADD(m, ";\n");
  return taken;
}

static void add_process(Maker *m, unsigned p) {
  m->locations[p] = 2 + below(m, 2);
  ADD(m, "process T%u() {\n  state ", p);
  for (unsigned l = 0; l < m->locations[p]; l++) {
    ADD(m, "%sl%u", l ? ", " : "", l);
    if (chance(m, 25))
      ADD(m, " { x[%u] <= %u }", whose(m, p), 1 + below(m, 3));
    else if (chance(m, 4))
      ADD(m, " { v[%u] <= %u }", whose(m, p), 1 + below(m, 2));
  }
  ADD(m, ";\n");
  add_kind(m, p, "urgent ", add_kind(m, p, "commit ", 0));
  ADD(m, "  init l0;\n  trans ");
  const unsigned edges = 2 + below(m, 3);
  for (unsigned e = 0; e < edges; e++)
    add_edge(m, p, !e);
  ADD(m, ";\n}\n");
}

static void make_query(Maker *m, char *query) {
  char text[LOOSE_QUERY] = "";
  const unsigned p = below(m, m->processes);
  sample_part(text, sizeof text, " && ", "T%u.l%u", p, 1 + below(m, m->locations[p] - 1));
  if (chance(m, 40))
    sample_part(text, sizeof text, " && ", "v[%u] == %u", p, below(m, 3));
  if (chance(m, 25))
    sample_part(text, sizeof text, " && ", "x[%u] %s %u", p, PICK(m, "<", ">", "<="),
                below(m, 4));
  if (chance(m, 10))
    sample_part(text, sizeof text, " && ", "%s == %u", PICK(m, "i", "j", "a[1]"), below(m, 3));
  size_t size = 0;
  const int is_universal = chance(m, 40);
  sample_add(query, LOOSE_QUERY, &size, is_universal ? "A[] not (%s)" : "E<> %s", text);
}

void loose_nets_make(LooseNet *net, unsigned long seed) {
  Maker m = {.net = net, .random = seed * 2 + 1};
  *net = (LooseNet){0};
  for (int k = 0; k < 3; k++)
    below(&m, 2);
  m.processes = 3 + below(&m, MOST - 2);
  m.is_tight = chance(&m, 25);
  m.fails = chance(&m, 15);
  ADD((&m), "int[0,2] v[%u], i, j, a[3], d[2];\nbool b;\nclock x[%u];\n", m.processes,
      m.processes);
  ADD((&m), "void count() { i = (i + 2) %% 3; }\n");
  for (unsigned c = 0; c < CHANNELS; c++)
    ADD((&m), "%s%schan c%u;\n", chance(&m, 20) ? "urgent " : "",
        chance(&m, 45) ? "broadcast " : "", c);
  if (chance(&m, 2))
    ADD((&m), "%s",
        PICK(&m, "chan priority c0 < c1;\n", "before_update { i = 0; }\n",
             "after_update { j = i; }\n"));
  for (unsigned p = 0; p < m.processes; p++)
    add_process(&m, p);
  ADD((&m), "system ");
  for (unsigned p = 0; p < m.processes; p++)
    ADD((&m), "%sT%u", p ? ", " : "", p);
  ADD((&m), ";\n");
  for (unsigned k = 0; k < LOOSE_QUERIES; k++)
    make_query(&m, net->queries[k]);
}
