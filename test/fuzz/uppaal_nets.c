#include "uppaal_nets.h"

#include "language/uppaal/uppaal.h"

#include <stdio.h>
#include <string.h>

static uint32_t below(UppaalNet *c, uint32_t n) { return random_below(&c->random, n); }
static bool one_in(UppaalNet *c, uint32_t n) { return !below(c, n); }

static void put(UppaalNet *c, const char *text) { text_add(&c->text, text); }
static void put_number(UppaalNet *c, uint32_t number) { text_addf(&c->text, "%u", number); }

static const char *pick(UppaalNet *c, const char *const *words, uint32_t count) {
  return words[below(c, count)];
}
#define PICK(c, ...)                                                                             \
  pick(c, (const char *const[]){__VA_ARGS__},                                                    \
       sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

static const char *comparison(UppaalNet *c) {
  return PICK(c, " == ", " != ", " < ", " <= ", " >= ", " <= ");
}

// 0 or 1, known before the search.
static void put_known_index(UppaalNet *c) {
  put(c, c->has_choice ? "k" : PICK(c, "0", "1", "id"));
}

// 0 or 1.
static void put_index(UppaalNet *c) {
  if (c->has_choice && one_in(c, 2))
    put(c, "k");
  else if (c->in_template && one_in(c, 2))
    put(c, "id");
  else
    put(c, PICK(c, "0", "1", "i % 2", "j / 2", "m % 2"));
}

// A variable that holds 0 to 3.
static void put_variable(UppaalNet *c) {
  const uint32_t which = below(c, c->in_template ? 9 : 7);
  if (which < 2)
    put(c, which ? "i" : "j");
  else if (which < 4) {
    put(c, "a[");
    put_index(c);
    put(c, "]");
  } else if (which < 7)
    put(c, which == 4 ? "s.p" : which == 5 ? "m" : "i");
  else
    put(c, which == 7 ? "r" : c->has_local ? "l" : "j");
}

static void put_condition(UppaalNet *c, uint32_t depth);

// A value from 0 to 3.
static void put_value(UppaalNet *c, uint32_t depth) {
  const uint32_t which = below(c, depth ? 12 : 5);
  if (which < 2)
    put_number(c, below(c, 4));
  else if (which < 5)
    put_variable(c);
  else if (which < 7) {
    put(c, which == 5 ? "f(" : "twice(");
    put_value(c, depth - 1);
    put(c, ")");
  } else if (which < 9) {
    put(c, "(");
    put_value(c, depth - 1);
    put(c, PICK(c, " + ", " * ", " + 2 * "));
    put_value(c, depth - 1);
    put(c, ") % 4");
  } else if (which == 9) {
    put(c, "(");
    put_condition(c, 0);
    put(c, " ? ");
    put_value(c, depth - 1);
    put(c, " : ");
    put_value(c, depth - 1);
    put(c, ")");
  } else if (which == 10) {
    put(c, "(sum (n : int[0,1]) a[n]) % 4");
  } else {
    put(c, c->in_template && one_in(c, 2) ? "table[id]" : "(i <? j)");
  }
}

static void put_comparison(UppaalNet *c, uint32_t depth) {
  put_variable(c);
  put(c, comparison(c));
  put_value(c, depth);
}

static void put_condition(UppaalNet *c, uint32_t depth) {
  const uint32_t which = below(c, depth ? 12 : 5);
  if (which < 4)
    put_comparison(c, depth);
  else if (which == 4)
    put(c, PICK(c, "b", "!b", "s.q", "v == w", "not (b && s.q)"));
  else if (which < 7) {
    put(c, which == 5 ? "(forall (n : int[0,1]) a[n]" : "(exists (n : int[0,1]) a[n]");
    put(c, comparison(c));
    put_value(c, depth - 1);
    put(c, ")");
  } else if (which < 9) {
    put(c, "holds(");
    put_value(c, depth - 1);
    put(c, ")");
  } else {
    put(c, "(");
    put_condition(c, depth - 1);
    put(c, PICK(c, " && ", " || ", " imply ", " or "));
    put_condition(c, depth - 1);
    put(c, ")");
  }
}

static void put_clock(UppaalNet *c) {
  if (c->has_own_clock && (c->suits_local ? !one_in(c, 6) : one_in(c, 2)))
    put(c, "z");
  else if (c->clocks > 1 && c->in_template && one_in(c, 4))
    put(c, "x[id]");
  else
    text_addf(&c->text, "x[%u]", below(c, c->clocks));
}

// Mostly a constant, now and then something up to 5.
static void put_bound(UppaalNet *c) {
  if (c->has_counter && one_in(c, 2))
    put(c, PICK(c, "n", "2 * n", "2 * n + 1", "n + 3", "5 - 2 * n", "n * n"));
  else if (!one_in(c, 4))
    put_number(c, below(c, 4));
  else
    put(c, PICK(c, "i + 1", "j", "f(1)", "a[0]", "a[i % 2] + 1", "N"));
}

static void put_clock_test(UppaalNet *c, const char *op) {
  const bool is_split = one_in(c, 7);
  if (is_split) {
    put(c, "(");
    put_comparison(c, 0);
    put(c, " || ");
  }
  put_clock(c);
  put(c, op);
  put_bound(c);
  if (is_split)
    put(c, ")");
}

static void put_guard(UppaalNet *c, bool clocks) {
  static const uint32_t sizes[] = {0, 1, 1, 1, 2};
  const uint32_t size = sizes[below(c, 5)] + c->is_counting;
  for (uint32_t i = 0; i < size; i++) {
    put(c, i ? " && " : "guard ");
    if (!i && c->is_counting)
      put(c, PICK(c, "n < 2", "n <= 1", "2 > n", "n != 2", "n + 1 <= 2"));
    else if (c->has_counter && one_in(c, 6))
      put(c, PICK(c, "n == 0", "n == 1", "n == 2", "n >= 1", "n > i", "(n == 1 || n == 2)"));
    else if (!clocks || one_in(c, 4))
      put_condition(c, 2);
    else if (c->clocks > 1 && one_in(c, 12))
      put(c, "(forall (n : int[0,1]) x[n] >= n)");
    else
      put_clock_test(c, PICK(c, " < ", " <= ", " > ", " >= ", " >= ", " == "));
  }
  put(c, size ? "; " : "");
}

static void put_clock_update(UppaalNet *c) {
  put_clock(c);
  put(c, " = ");
  if (one_in(c, 8))
    put_clock(c);
  else if (one_in(c, 5))
    put_value(c, 1);
  else
    put(c, PICK(c, "0", "0", "0", "0", "1", "2", "3"));
}

static void put_assignment(UppaalNet *c, bool clocks) {
  const uint32_t which = below(c, 16);
  if (clocks && which < 7) {
    put_clock_update(c);
  } else if (which == 7) {
    put(c, "bump(");
    put_variable(c);
    put(c, ")");
  } else if (which == 8) {
    put(c, PICK(c, "rotate()", "t = s", "s = t", "b = !b"));
  } else if (which == 9) {
    put(c, PICK(c, "b = ", "s.q = "));
    put_condition(c, 1);
  } else if (which == 10 && c->has_element) {
    put(c, PICK(c, "v = element", "w = element", "v = w"));
  } else if (which == 11 && one_in(c, 10)) {
    put(c, PICK(c, "i++", "j = j + 2", "a[0] -= 1")); // may leave the range
  } else {
    put_variable(c);
    put(c, " = ");
    put_value(c, 2);
  }
}

// What the counter of a process becomes.
static void put_count(UppaalNet *c) {
  if (c->is_counting)
    put(c, PICK(c, "n++", "n = n + 1", "n += 1", "n = n + 1, n = n"));
  else if (one_in(c, 4))
    put(c, PICK(c, "n = n > 0 ? n - 1 : 0", "n = (n + i) % 3", "n = i % 3"));
  else
    put(c, PICK(c, "n = 0", "n = 0", "n = 1", "n = 2"));
}

static void put_update(UppaalNet *c, const char *word, bool clocks) {
  const bool counts = c->is_counting || (c->has_counter && one_in(c, 4));
  const uint32_t size = below(c, 4) + counts;
  for (uint32_t i = 0; i < size; i++) {
    put(c, i ? ", " : word);
    if (!i && counts)
      put_count(c);
    else
      put_assignment(c, clocks);
  }
}

static void put_channels(UppaalNet *c) {
  for (uint32_t i = 0; i < 3; i++) {
    c->is_urgent[i] = one_in(c, c->suits_local ? 2 : 5);
    c->is_broadcast[i] = one_in(c, 2);
    text_addf(&c->text, "%s%schan %s;\n", c->is_urgent[i] ? "urgent " : "",
              c->is_broadcast[i] ? "broadcast " : "",
              i == 0   ? "a0"
              : i == 1 ? "b0"
                       : "d[2]");
  }
  c->has_priorities = !c->suits_local && one_in(c, 5);
  if (c->has_priorities)
    put(c, PICK(c, "chan priority a0 < default < b0, d[0];\n",
                "chan priority default < a0, b0 < d;\n", "chan priority d[1] < a0 < default;\n"));
}

static void put_functions(UppaalNet *c) {
  put(c, "int[0,3] f(int[0,3] n) {\n  int[0,3] t = ");
  put_number(c, below(c, 4));
  put(c, ";\n  for (e : int[0,1])\n    if (a[e]");
  put(c, comparison(c));
  put(c, "n)\n      t = a[e];\n    else\n      t = (t + n) % 4;\n  return t;\n}\n");
  put(c, "int[0,3] twice(const int[0,3] n) { return f(f(n)); }\n");
  put(c, "bool holds(int[0,3] n) {\n  int e = 0;\n  while (e < 2 && a[e]");
  put(c, comparison(c));
  put(c, "n)\n    e++;\n  return e == 2 || ");
  put(c, PICK(c, "b", "i > n", "s.p == n"));
  put(c, ";\n}\n");
  put(c, "void bump(int[0,3] &n) {\n  pair_t copy = s;\n  do { n = (n + ");
  put_number(c, 1 + below(c, 3));
  put(c, ") % 4; copy.p = n; } while (copy.p == ");
  put_number(c, below(c, 4));
  put(c, ");\n}\n");
  put(c, "void rotate() {\n  int[0,3] old = a[0];\n  a[0] = a[1];\n  a[1] = old;\n}\n");
}

static void put_declarations(UppaalNet *c) {
  put(c, "const int N = ");
  put_number(c, 1 + below(c, 3));
  text_addf(&c->text, ";\nclock x[%u];\n", c->clocks);
  put(c, "typedef struct { int[0,3] p; bool q; } pair_t;\npair_t s, t = { 1, true };\n");
  put(c, "int[0,3] i, j, a[2] = { 0, ");
  put_number(c, below(c, 4));
  put(c, " };\nbool b;\nmeta int[0,3] m;\ntypedef scalar[2] set_t;\nset_t v, w;\n");
  put_channels(c);
  put_functions(c);
  if (!c->suits_local && one_in(c, 10)) {
    put(c, "before_update { m = 1");
    put_update(c, ", ", false);
    put(c, " }\n");
  }
  if (!c->suits_local && one_in(c, 10)) {
    put(c, "after_update { m = 2");
    put_update(c, ", ", false);
    put(c, " }\n");
  }
}

static void put_locations(UppaalNet *c, uint32_t count) {
  char committed[64] = "", urgent[64] = "";
  for (uint32_t l = 0; l < count; l++) {
    text_addf(&c->text, "%sl%u", l ? ", " : "  state ", l);
    if ((l && one_in(c, 4)) || one_in(c, 10)) {
      put(c, " { ");
      if (one_in(c, 6))
        put_condition(c, 1);
      else
        put_clock_test(c, PICK(c, " < ", " <= ", " <= ", " <= ", " <= ", " >= "));
      put(c, " }");
    }
    char *list = l && one_in(c, 8) ? committed : l && one_in(c, 10) ? urgent : NULL;
    if (list)
      snprintf(list + strlen(list), 64 - strlen(list), "%sl%u", *list ? ", " : "", l);
  }
  put(c, ";\n");
  if (*committed)
    text_addf(&c->text, "  commit %s;\n", committed);
  if (*urgent)
    text_addf(&c->text, "  urgent %s;\n", urgent);
  put(c, "  init l0;\n");
}

// An edge may have a clock guard on a receiver or an urgent channel, or with priorities, only now
// and then.
static bool may_test_clocks(const UppaalNet *c, int channel, bool receives) {
  const bool is_special =
      c->has_priorities ||
      (channel >= 0 && (c->is_urgent[channel] || (c->is_broadcast[channel] && receives)));
  return !is_special || c->has_clock_guards;
}

static void put_edge(UppaalNet *c, uint32_t source, uint32_t target) {
  const int channel = one_in(c, 3) ? -1 : (int)below(c, 3);
  const bool receives = one_in(c, 2);
  c->has_choice = one_in(c, 4);
  c->has_element = !c->has_choice && one_in(c, 8);
  c->is_counting = c->has_counter && one_in(c, 3);
  text_addf(&c->text, "l%u -> l%u { ", source, target);
  put(c, c->has_choice    ? "select k : int[0,1]; "
         : c->has_element ? "select element : set_t; "
                          : "");
  const bool is_free = c->suits_local && channel >= 0 && receives && c->is_broadcast[channel];
  if (is_free)
    c->is_counting = false;
  else
    put_guard(c, may_test_clocks(c, channel, receives));
  if (channel >= 0) {
    put(c, channel == 0 ? "sync a0" : channel == 1 ? "sync b0" : "sync d[");
    if (channel == 2) {
      if (is_free)
        put_known_index(c);
      else
        put_index(c);
      put(c, "]");
    }
    put(c, receives ? "?; " : "!; ");
  }
  const size_t before = c->text.size;
  put_update(c, "assign ", true);
  put(c, c->text.size > before ? "; }" : "}");
  c->has_choice = c->has_element = c->is_counting = false;
}

// One template, and its process or processes.
static void put_template(UppaalNet *c, uint32_t number) {
  const bool is_free = one_in(c, 4) && c->process_count < 3; // one process for each value of id
  const uint32_t locations = 2 + below(c, is_free ? 2 : 3), first = c->process_count;
  c->in_template = true;
  c->has_local = one_in(c, 2);
  c->has_counter = one_in(c, 2);
  c->has_own_clock = !is_free && c->clocks < 3 && (c->suits_local ? !one_in(c, 4) : one_in(c, 3));
  text_addf(&c->text, "process T%u(const int[0,1] id%s) {\n", number,
            is_free ? "" : ", int[0,3] &r");
  text_addf(&c->text, "%s%s%s%s  const int[0,3] table[2] = { %u, %u };\n",
            is_free ? "  int[0,3] r;\n" : "", c->has_local ? "  int[0,3] l;\n" : "",
            c->has_counter ? "  int[0,2] n;\n" : "", c->has_own_clock ? "  clock z;\n" : "",
            below(c, 4), below(c, 4));
  put_locations(c, locations);
  const uint32_t edges = locations + 1 + below(c, is_free ? 2 : 4);
  for (uint32_t e = 0; e < edges; e++) {
    put(c, e ? ",\n        " : "  trans ");
    put_edge(c, e < locations ? e : below(c, locations), below(c, locations));
  }
  put(c, ";\n}\n");
  c->in_template = c->has_own_clock = false;
  if (is_free) {
    snprintf(c->processes[c->process_count++], 16, "T%u(0)", number);
    snprintf(c->processes[c->process_count++], 16, "T%u(1)", number);
  } else {
    text_addf(&c->text, "P%u = T%u(%u, %s);\n", number, number, below(c, 2),
              PICK(c, "i", "j", "a[1]", "s.p"));
    snprintf(c->processes[c->process_count++], 16, "P%u", number);
  }
  for (uint32_t p = first; p < c->process_count; p++)
    c->process_has_local[p] = c->has_local;
  c->has_local = c->has_counter = false;
  c->locations = locations; // of the last one
}

static void put_system(UppaalNet *c, uint32_t templates, uint64_t is_free) {
  const bool has_order = c->has_priorities && one_in(c, 2);
  for (uint32_t i = 0; i < templates; i++)
    text_addf(&c->text, "%s%c%u",
              !i          ? "system "
              : has_order ? " < "
                          : ", ",
              is_free >> i & 1 ? 'T' : 'P', i);
  put(c, ";\n");
}

static void put_query(UppaalNet *c) {
  const uint32_t p = c->process_count - 1;
  text_addf(&c->text, "E<> %s.l%u", c->processes[p], below(c, c->locations));
  if (one_in(c, 2)) {
    put(c, " && ");
    put_condition(c, 1);
  }
  if (c->process_has_local[p] && one_in(c, 3))
    text_addf(&c->text, " && %s.l%s%u", c->processes[p], comparison(c), below(c, 4));
  if (one_in(c, 2)) {
    put(c, " && ");
    put_clock(c);
    put(c, PICK(c, " < ", " <= ", " > ", " >= ", " >= "));
    put_number(c, below(c, 4));
  }
}

static void write_text(UppaalNet *c) {
  c->clocks = 1 + below(c, 2) + one_in(c, 4);
  c->suits_local = one_in(c, 3);
  c->has_clock_guards = !c->suits_local && !one_in(c, 3);
  put_declarations(c);
  const uint32_t templates = 2 + below(c, 2);
  uint64_t is_free = 0;
  for (uint32_t i = 0; i < templates; i++) {
    const uint32_t before = c->process_count;
    put_template(c, i);
    is_free |= (uint64_t)(c->process_count - before == 2) << i;
  }
  put_system(c, templates, is_free);
}

static Source source_of(const char *name, const Text *text) {
  return (Source){.name = name, .text = text_chars(text), .size = text->size};
}

void uppaal_nets_make(UppaalNet *c, Mem *mem, uint64_t seed) {
  *c = (UppaalNet){.mem = mem, .arena = {.mem = mem}};
  c->text.mem = c->query.mem = mem;
  random_seed(&c->random, seed);
  net_init(&c->net, mem);
  report_init(&c->report, mem);
  write_text(c);
  const Text model = c->text; // the query is written in its place
  c->text = c->query;
  put_query(c);
  c->query = c->text;
  c->text = model;
  c->source = source_of("random.xta", &c->text);
  c->query_source = source_of("query", &c->query);
  Query query;
  if (uppaal_read(&c->net, &c->source, &c->report) &&
      uppaal_query(&query, &c->arena, &c->net, &c->query_source, 0,
                   (uint32_t)c->query_source.size, &c->report)) {
    c->net = *query_keep_meta(&query, &c->net, &c->arena);
    query_goal(&c->goal, &c->arena, &c->net, &query, &c->report);
  }
}

void uppaal_nets_release(UppaalNet *c) {
  arena_release(&c->arena);
  net_release(&c->net);
  report_release(&c->report);
  text_release(&c->text);
  text_release(&c->query);
}
