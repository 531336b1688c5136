#include "still_nets.h"

#include "sample.h"

#include <stdio.h>
#include <string.h>

enum { PROCESSES = 5, LOCATIONS = 5, EDGES = 8, EVENTS = 3, PART = 120 };

typedef struct StillEdge {
  unsigned from, to, event; // EVENTS: none
  bool sends;
  char guard[PART], update[PART];
} StillEdge;

typedef struct StillProcess {
  unsigned locations, edges;
  char invariants[LOCATIONS][PART];
  char kinds[LOCATIONS]; // c: committed, u: urgent
  StillEdge edge[EDGES];
} StillProcess;

typedef struct Maker {
  StillNet *net;
  unsigned long long random;
  size_t size; // of the text
  // What this network has more or less of, in percent:
  unsigned committed, urgent, invariants, guards, shared, counts, synced, harms;
  bool fails; // at run time, perhaps
  bool is_broadcast[EVENTS], is_urgent[EVENTS];
  unsigned processes, clocks, variables;
  StillProcess process[PROCESSES];
} Maker;

static unsigned below(Maker *m, unsigned n) { return sample_below(&m->random, n); }
static bool chance(Maker *m, unsigned percent) { return below(m, 100) < percent; }

#define add(m, ...) sample_add((m)->net->text, STILL_TEXT, &(m)->size, __VA_ARGS__)
#define part(text, ...) sample_part(text, PART, __VA_ARGS__)

// A clock: mostly the process's own, which has its number.
static unsigned clock_of(Maker *m, unsigned p) {
  return chance(m, m->shared) ? below(m, m->clocks) : p % m->clocks;
}

static void make_invariant(Maker *m, unsigned p, char *text) {
  if (!chance(m, m->invariants))
    return;
  if (chance(m, m->harms))
    part(text, "&&", "v%u<=%u", below(m, m->variables), 1 + below(m, 2));
  if (chance(m, m->harms / 2))
    part(text, "&&", "x%u<=v%u", clock_of(m, p), below(m, m->variables));
  else if (chance(m, 90))
    part(text, "&&", "x%u<=%u", clock_of(m, p), 1 + below(m, 2));
}

static void make_guard(Maker *m, unsigned p, char *text) {
  static const char *const relations[] = {"==", "!=", "<", ">="};
  if (chance(m, m->guards))
    part(text, "&&", "x%u%s%u", clock_of(m, p), chance(m, 70) ? ">=" : "<=", 1 + below(m, 2));
  if (chance(m, m->guards))
    part(text, "&&", "v%u%s%u", below(m, m->variables), relations[below(m, 4)], below(m, 3));
  if (chance(m, m->guards / 6))
    part(text, "&&", "x%u>=v%u+1", clock_of(m, p), below(m, m->variables));
}

static void make_update(Maker *m, unsigned p, char *text) {
  const char *between = m->net->is_uppaal ? ", " : ";";
  if (chance(m, 60))
    part(text, between, "x%u=0", clock_of(m, p));
  else if (chance(m, m->harms / 3))
    part(text, between, "x%u=%u", clock_of(m, p), 1 + below(m, 2));
  for (unsigned k = 0; k < 2 && chance(m, 45); k++) {
    const unsigned v = below(m, m->variables);
    if (chance(m, m->counts)) // UPPAAL: out of the range is an error
      part(text, between, m->net->is_uppaal && !m->fails ? "v%u=(v%u+1)%%4" : "v%u=v%u%c1", v, v,
           v % 2 ? '-' : '+');
    else if (chance(m, 20))
      part(text, between, "v%u=v%u", v, below(m, m->variables));
    else
      part(text, between, "v%u=%u", v, below(m, chance(m, 50) ? 2 : 4));
  }
  if (m->fails && chance(m, 15))
    part(text, between, m->net->is_uppaal ? "v0=a[v%u]" : "v0=2/v%u", below(m, m->variables));
}

static void make_edge(Maker *m, unsigned p, StillEdge *e, unsigned number) {
  const StillProcess *process = &m->process[p];
  e->from = number < process->locations ? number : below(m, process->locations);
  e->to = below(m, process->locations);
  e->event = chance(m, m->synced) ? below(m, EVENTS) : EVENTS;
  e->sends = chance(m, 50);
  make_guard(m, p, e->guard);
  make_update(m, p, e->update);
}

static void make_process(Maker *m, unsigned p) {
  StillProcess *process = &m->process[p];
  process->locations = 2 + below(m, LOCATIONS - 1);
  process->edges = process->locations - below(m, 2) + below(m, EDGES - LOCATIONS + 1);
  for (unsigned l = 0; l < process->locations; l++) {
    process->kinds[l] = chance(m, m->committed) ? 'c' : chance(m, m->urgent) ? 'u' : ' ';
    make_invariant(m, p, process->invariants[l]);
  }
  for (unsigned e = 0; e < process->edges; e++)
    make_edge(m, p, &process->edge[e], e);
}

// --- TChecker's language.

static void write_sync(Maker *m, unsigned event) {
  unsigned parts = 0;
  const unsigned first = below(m, m->processes), count = 2 + chance(m, 40);
  const bool all_weak = chance(m, 15);
  for (unsigned k = 0; k < count && k < m->processes; k++)
    add(m, "%sP%u@e%u%s", parts++ ? ":" : "sync:", (first + k) % m->processes,
        chance(m, 80) ? event : below(m, EVENTS), all_weak || (k && chance(m, 45)) ? "?" : "");
  add(m, "\n");
}

static void write_tchecker(Maker *m) {
  add(m, "system:still\nevent:tau\n");
  for (unsigned e = 0; e < EVENTS; e++)
    add(m, "event:e%u\n", e);
  for (unsigned x = 0; x < m->clocks; x++)
    add(m, "clock:1:x%u\n", x);
  for (unsigned v = 0; v < m->variables; v++)
    add(m, "int:1:0:3:%u:v%u\n", v % 2 ? 3 : 0, v);
  for (unsigned p = 0; p < m->processes; p++) {
    const StillProcess *process = &m->process[p];
    add(m, "process:P%u\n", p);
    for (unsigned l = 0; l < process->locations; l++)
      add(m, "location:P%u:l%u{%s%s%s%s%s}\n", p, l, l ? "" : "initial: : ",
          process->kinds[l] == 'c'   ? "committed: : "
          : process->kinds[l] == 'u' ? "urgent: : "
                                     : "",
          *process->invariants[l] ? "invariant:" : "", process->invariants[l],
          *process->invariants[l] ? "" : "labels:none");
    for (unsigned e = 0; e < process->edges; e++) {
      const StillEdge *edge = &process->edge[e];
      add(m, "edge:P%u:l%u:l%u:", p, edge->from, edge->to);
      if (edge->event < EVENTS)
        add(m, "e%u", edge->event);
      else
        add(m, "tau");
      add(m, "{%s%s%s%s%s}\n", *edge->guard ? "provided:" : "", edge->guard,
          *edge->guard && *edge->update ? " : " : "", *edge->update ? "do:" : "", edge->update);
    }
  }
  for (unsigned e = 0; e < EVENTS; e++)
    for (unsigned k = 0; k < 2; k++)
      write_sync(m, e);
}

// --- UPPAAL's.

static void write_list(Maker *m, const StillProcess *process, char kind, const char *name) {
  unsigned count = 0;
  for (unsigned l = 0; l < process->locations; l++)
    if (process->kinds[l] == kind)
      add(m, "%sl%u", count++ ? ", " : name, l);
  if (count)
    add(m, ";\n");
}

static void write_process(Maker *m, unsigned p) {
  const StillProcess *process = &m->process[p];
  add(m, "process P%u() {\nstate ", p);
  for (unsigned l = 0; l < process->locations; l++) {
    add(m, "%sl%u", l ? ", " : "", l);
    if (*process->invariants[l])
      add(m, " {%s}", process->invariants[l]);
  }
  add(m, ";\n");
  write_list(m, process, 'c', "commit ");
  write_list(m, process, 'u', "urgent ");
  add(m, "init l0;\ntrans\n");
  for (unsigned e = 0; e < process->edges; e++) {
    const StillEdge *edge = &process->edge[e];
    add(m, "%sl%u -> l%u {", e ? ",\n" : "", edge->from, edge->to);
    if (*edge->guard)
      add(m, " guard %s;", edge->guard);
    if (edge->event < EVENTS)
      add(m, " sync c%u%c;", edge->event, edge->sends ? '!' : '?');
    if (*edge->update)
      add(m, " assign %s;", edge->update);
    add(m, " }");
  }
  add(m, ";\n}\n");
}

static void write_uppaal(Maker *m) {
  for (unsigned x = 0; x < m->clocks; x++)
    add(m, "clock x%u;\n", x);
  for (unsigned v = 0; v < m->variables; v++)
    add(m, "int[0,3] v%u = %u;\n", v, v % 2 ? 3 : 0);
  if (m->fails)
    add(m, "int[0,3] a[3] = {0, 1, 2};\n");
  for (unsigned e = 0; e < EVENTS; e++)
    add(m, "%s%schan c%u;\n", m->is_urgent[e] ? "urgent " : "",
        m->is_broadcast[e] ? "broadcast " : "", e);
  for (unsigned p = 0; p < m->processes; p++)
    write_process(m, p);
  add(m, "system ");
  for (unsigned p = 0; p < m->processes; p++)
    add(m, "%sP%u", p ? ", " : "", p);
  add(m, ";\n");
}

// --- Queries.

static void add_atom(Maker *m, char *text) {
  const unsigned p = below(m, m->processes), kind = below(m, 10);
  if (kind < 5)
    part(text, " and ", "P%u.l%u", p, below(m, m->process[p].locations));
  else if (kind < 9)
    part(text, " and ", "v%u == %u", below(m, m->variables), below(m, 4));
  else
    part(text, " and ", "x%u >= %u", below(m, m->clocks), 1 + below(m, 2));
}

static void make_query(Maker *m, unsigned number, char *text) {
  static const char *const starts[] = {
      "E<> ", "E<> ", "E<> ", "A[] not deadlock", "E<> deadlock and ", "E<> ", "A[] not ("};
  char formula[PART] = "";
  for (unsigned k = 1 + below(m, 3); k; k--)
    add_atom(m, formula);
  snprintf(text, STILL_QUERY, "%s%s%s", starts[number], number == 3 ? "" : formula,
           number == 6 ? ")" : "");
}

void still_nets_make(StillNet *net, unsigned long seed, bool only_uppaal) {
  Maker m = {.net = net, .random = seed * 2 + 1};
  *net = (StillNet){0};
  for (int i = 0; i < 3; i++)
    below(&m, 2);
  net->is_uppaal = chance(&m, 50) || only_uppaal;
  m.committed = chance(&m, 50) ? 0 : 20;
  m.urgent = chance(&m, 30) ? 0 : 35;
  m.invariants = chance(&m, 50) ? 30 : 75;
  m.guards = 10 + below(&m, 50);
  m.shared = chance(&m, 60) ? 0 : 30;
  m.counts = chance(&m, 50) ? 0 : 60;
  m.synced = chance(&m, 30) ? 0 : 50;
  m.harms = chance(&m, 70) ? 0 : 60;
  m.fails = chance(&m, 15);
  for (unsigned e = 0; e < EVENTS; e++) {
    m.is_broadcast[e] = chance(&m, 60);
    m.is_urgent[e] = chance(&m, 20);
  }
  m.processes = 3 + below(&m, PROCESSES - 2);
  m.clocks = 1 + below(&m, m.processes);
  m.variables = 1 + below(&m, 4);
  for (unsigned p = 0; p < m.processes; p++)
    make_process(&m, p);
  if (net->is_uppaal)
    write_uppaal(&m);
  else
    write_tchecker(&m);
  for (unsigned k = 0; k < STILL_QUERIES; k++)
    make_query(&m, k, net->queries[k]);
}
