#include "language/gen/gen.h"

#include "language/gen/gen_family.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER(name, fallback, low, high, help)                                                  \
  { name, GEN_NUMBER, fallback, low, high, NULL, help }
#define SWITCH(name, fallback, help)                                                             \
  { name, GEN_NUMBER, fallback, 0, 1, NULL, help }
#define WORD(name, words, help)                                                                  \
  { name, GEN_WORD, 0, 0, 0, words, help }
#define TEXT(name, help)                                                                         \
  { name, GEN_TEXT, 0, 0, 0, NULL, help }
#define PARAMS(...)                                                                              \
  (const GenParam[]) {                                                                           \
    __VA_ARGS__, { 0 }                                                                           \
  }
#define NO_PARAMS ((const GenParam[]){{0}})

// Constants stay far below what a clock bound can hold, also after the arithmetic that the
// families do with them.
enum { MAX = 1000000, MANY = 1000, SEEDS = INT_MAX };

static const GenFamily families[] = {
    {"fischer", "Fischer's mutual exclusion: cs1,cs2 is unreachable", gen_template,
     PARAMS(NUMBER("n", 3, 1, MANY, "processes"), NUMBER("k", 10, 1, MAX, "the delay"),
            SWITCH("buggy", 0, "1: enter after k time units already, which is too early"))},
    {"lynch", "Fischer's protocol with a second variable (Lynch and Shavit)", gen_template,
     PARAMS(NUMBER("n", 3, 1, MANY, "processes"), NUMBER("k", 10, 1, MAX, "the delay"))},
    {"csma", "CSMA/CD: stations on a bus that detect collisions", gen_template,
     PARAMS(NUMBER("n", 3, 1, MANY, "stations"),
            WORD("variant", "orders|nonconvex|relay",
                 "the search-order paper's, the non-convex paper's, or one whose bus tells the "
                 "stations one by one"),
            NUMBER("lambda", 808, 1, MAX, "time to send"),
            NUMBER("sigma", 26, 1, MAX, "time on the wire"))},
    {"fddi", "FDDI token ring, TTRT = 50n", gen_template,
     PARAMS(NUMBER("n", 3, 1, MANY, "stations"),
            NUMBER("sa", 20, 1, MAX, "time of synchronous messages"),
            NUMBER("td", 0, 0, MAX, "time of the token between stations"))},
    {"critical-region", "cells that enter a critical region one at a time", gen_template,
     PARAMS(NUMBER("n", 3, 1, MANY, "cells"),
            WORD("variant", "orders|local|async",
                 "the search-order paper's, or the local-time paper's (two names for it), whose "
                 "variable lives in a process"),
            NUMBER("t", 10, 1, MAX, "time of a test"))},
    {"blowup", "exponentially many mistakes for a search breadth first", gen_template,
     PARAMS(NUMBER("n", 5, 1, MANY, "rungs"))},
    {"flexray", "a FlexRay-like physical layer: sender, bus, sampler, bit clock, decoder",
     gen_template,
     PARAMS(NUMBER("n", 1, 1, 64, "bits of data in a frame"),
            NUMBER("period", 100, 1, 10000, "time between two samples"),
            NUMBER("drift", 1, 0, 10000, "how much a period may be off"),
            NUMBER("settle", 50, 0, MAX, "time for which a changed bus reads as anything"),
            NUMBER("cell", 8, 2, 64, "samples per bit"),
            NUMBER("strobe", 5, 1, 64, "sample of the cell at which a bit is read"),
            NUMBER("window", 5, 1, 63, "samples in a majority vote; odd"))},
    {"a1", "a big constant behind a synchronisation without a partner", gen_template,
     PARAMS(NUMBER("bound", 10000, 1, MAX, "the big constant"))},
    {"a2", "a big constant behind a guard that never holds", gen_template,
     PARAMS(NUMBER("bound", 10000, 1, MAX, "the big constant"),
            SWITCH("swapped", 0, "1: the loop is declared second"))},
    {"a3", "a big constant behind an integer that never changes", gen_template,
     PARAMS(NUMBER("bound", 10000, 1, MAX, "the big constant"))},
    {"fig1", "an automaton as the non-convex paper describes its Figure 1", gen_template,
     PARAMS(NUMBER("bound", 1000000, 1, MAX, "the big constant"))},
    {"corsso", "CorSSO: clients collect authorisations, independently", gen_template,
     PARAMS(NUMBER("n", 3, 1, MANY, "clients"))},
    {"philosophers", "dining philosophers with a timeout", gen_template,
     PARAMS(NUMBER("n", 3, 2, MANY, "philosophers"),
            NUMBER("timeout", 3, 1, MAX, "time with one fork"),
            NUMBER("meal", 10, 1, MAX, "time with two"))},
    {"parallel", "processes that share a lock", gen_template,
     PARAMS(NUMBER("n", 3, 1, MANY, "processes"))},
    {"poll", "timed processes that poll one flag", gen_template,
     PARAMS(NUMBER("n", 3, 1, MANY, "readers"))},
    {"lcm", "loops of lengths 1 to n that must meet (Figure 1 of the time-darts paper)",
     gen_template, PARAMS(NUMBER("n", 4, 1, MANY, "loops"))},
    {"darts-example", "Figure 4 of the time-darts paper", gen_template, NO_PARAMS},
    {"vikings", "vikings cross a bridge with one torch", gen_template,
     PARAMS(NUMBER("n", 3, 1, MANY, "vikings"))},
    {"tasks", "a task graph on some processors", gen_tasks,
     PARAMS(NUMBER("n", 4, 1, 10000, "tasks: the first n of the graph"),
            NUMBER("processors", 2, 1, 100, "processors"),
            TEXT("file", "a graph in the format of the Standard Task Graph set; none: random"),
            NUMBER("seed", 1, 0, SEEDS, "of the random graph"),
            NUMBER("duration", 10, 1, MAX, "longest task of the random graph"))},
    {"train-crossing", "trains and a light: danger,open is unreachable", gen_template,
     PARAMS(NUMBER("n", 1, 1, MANY, "trains"),
            NUMBER("scale", 1, 1, 10000, "factor of all constants"),
            NUMBER("red", 17, 1, 100, "time of the red light; 16 is unsafe"))},
    {"darts-fischer", "Fischer's protocol as a Petri net, one automaton per token", gen_template,
     PARAMS(NUMBER("n", 3, 2, MANY, "processes"), NUMBER("mc", 3, 1, MAX, "largest constant"))},
    {"train-gate", "trains that queue for a bridge: bridge1,bridge2 is unreachable", gen_template,
     PARAMS(NUMBER("n", 3, 1, 100, "trains"))},
    {"random", "a random network; a location's label is its process and name, P0_l1", gen_random,
     PARAMS(NUMBER("seed", 1, 0, SEEDS, "same seed and sizes, same network"),
            NUMBER("processes", 2, 1, 100, "processes"),
            NUMBER("clocks", 2, 0, 100, "clocks of the network"),
            NUMBER("locations", 3, 1, 100, "locations per process"),
            NUMBER("edges", 5, 0, 1000, "edges per process"),
            NUMBER("constant", 4, 1, MAX, "largest constant of clock constraints"),
            NUMBER("ints", 1, 0, 100, "integer variables"),
            NUMBER("syncs", 2, 0, 100, "synchronisations"),
            NUMBER("guards", 70, 0, 100, "percent of edges with a clock guard"),
            NUMBER("resets", 60, 0, 100, "percent of edges with a clock update"),
            NUMBER("invariants", 40, 0, 100, "percent of locations with an invariant"),
            NUMBER("committed", 8, 0, 100, "percent of committed locations"),
            NUMBER("urgent", 8, 0, 100, "percent of urgent locations"),
            SWITCH("closed", 0, "1: no strict clock constraint"),
            SWITCH("diagonals", 0, "constraints on differences of clocks"),
            SWITCH("drift", 0, "1: shifts beside diagonals, too, which can make it undecidable"),
            SWITCH("shared", 1, "0: a clock is used by one process only"),
            SWITCH("nary", 1, "synchronisations of more than two processes"),
            SWITCH("weak", 1, "weak synchronisations"),
            SWITCH("initials", 1, "several initial locations"),
            SWITCH("values", 1, "updates x = c"), SWITCH("copies", 1, "updates x = y"),
            SWITCH("shifts", 1, "updates x = y+c"),
            SWITCH("bounds", 1, "clock constraints and updates with integer terms"),
            SWITCH("range", 1, "assignments that can leave the range"),
            SWITCH("arrays", 1, "arrays of integers and of clocks"),
            SWITCH("statements", 1, "if, while and local variables"),
            SWITCH("branches", 1, "clock updates inside if"),
            SWITCH("faults", 0,
                   "divisors, indices and values of clocks that can be wrong at run time"))},
};

enum { FAMILIES = sizeof families / sizeof *families, FAR = 4 };

const char *gen_name(int i) { return i >= 0 && i < FAMILIES ? families[i].name : NULL; }

// A parameter's place in its family's list, or -1.
static int find_param(const GenFamily *family, const char *name, size_t length) {
  for (int i = 0; family->params[i].name; i++)
    if (strlen(family->params[i].name) == length &&
        !strncmp(family->params[i].name, name, length))
      return i;
  return -1;
}

// The number of a word of a parameter, or -1.
static int find_word(const GenParam *param, const char *name, size_t length) {
  int number = 0;
  for (const char *word = param->words; word; number++) {
    const size_t size = strcspn(word, "|");
    if (size == length && !strncmp(word, name, length))
      return number;
    word = word[size] ? word + size + 1 : NULL;
  }
  return -1;
}

int gen_value(const Gen *gen, const char *name, size_t length) {
  const int place = find_param(gen->family, name, length);
  if (place >= 0)
    return gen->numbers[place];
  for (const GenParam *param = gen->family->params; param->name; param++) {
    const int number = find_word(param, name, length);
    if (number >= 0)
      return number;
  }
  assert(!"a parameter or a word of one");
  return 0;
}

int gen_number(const Gen *gen, const char *name) { return gen_value(gen, name, strlen(name)); }

const char *gen_text(const Gen *gen, const char *name) {
  return gen->texts[find_param(gen->family, name, strlen(name))];
}

static const GenFamily *find_family(Report *report, const char *name) {
  const char *nearest = NULL;
  unsigned least = FAR;
  for (int i = 0; i < FAMILIES; i++) {
    const unsigned distance = text_distance(families[i].name, name, FAR);
    if (distance == 0)
      return families + i;
    if (distance < least) {
      least = distance;
      nearest = families[i].name;
    }
  }
  if (nearest)
    report_error(report, (Place){0}, "there is no model family '%s': did you mean '%s'?", name,
                 nearest);
  else
    report_error(report, (Place){0},
                 "there is no model family '%s': 'tarn gen --list' shows them all", name);
  return NULL;
}

static void unknown_param(const Gen *gen, const char *name, size_t length) {
  Text names = {.mem = gen->out->mem}, given = {.mem = gen->out->mem};
  text_add_bytes(&given, name, length);
  const char *nearest = NULL;
  unsigned least = FAR;
  for (const GenParam *param = gen->family->params; param->name; param++) {
    text_addf(&names, "%s%s", names.size ? ", " : "", param->name);
    const unsigned distance = text_distance(param->name, text_chars(&given), FAR);
    if (distance < least && distance < length) {
      least = distance;
      nearest = param->name;
    }
  }
  const char *family = gen->family->name;
  if (!names.size)
    report_error(gen->report, (Place){0}, "family '%s' has no parameters, so no '%s'", family,
                 text_chars(&given));
  else if (nearest)
    report_error(gen->report, (Place){0}, "family '%s' has no parameter '%s': did you mean '%s'?",
                 family, text_chars(&given), nearest);
  else
    report_error(gen->report, (Place){0}, "family '%s' has no parameter '%s', only %s", family,
                 text_chars(&given), text_chars(&names));
  text_release(&given);
  text_release(&names);
}

static void set_number(Gen *gen, int place, const char *value) {
  const GenParam *param = gen->family->params + place;
  char *end;
  errno = 0;
  const long number = strtol(value, &end, 10);
  const bool sound = *value && !strchr(" \t\n\v\f\r+", *value) && !*end && !errno;
  if (!sound || number < param->low || number > param->high)
    report_error(gen->report, (Place){0},
                 "%s must be a whole number from %d to %d in family '%s', not '%s'", param->name,
                 param->low, param->high, gen->family->name, value);
  else
    gen->numbers[place] = (int)number;
}

static void set_word(Gen *gen, int place, const char *value) {
  const GenParam *param = gen->family->params + place;
  const int number = find_word(param, value, strlen(value));
  if (number >= 0)
    gen->numbers[place] = number;
  else
    report_error(gen->report, (Place){0}, "%s must be one of %s in family '%s', not '%s'",
                 param->name, param->words, gen->family->name, value);
}

// One argument: `key=value`, or a bare value for the parameter called n.
static void set_argument(Gen *gen, const char *argument) {
  const char *equals = strchr(argument, '=');
  const char *name = equals ? argument : "n", *value = equals ? equals + 1 : argument;
  const size_t length = equals ? (size_t)(equals - argument) : 1;
  const int place = find_param(gen->family, name, length);
  if (place < 0 && !equals) {
    report_error(gen->report, (Place){0}, "family '%s' has no size: what is '%s'?",
                 gen->family->name, argument);
    return;
  }
  if (place < 0) {
    unknown_param(gen, name, length);
    return;
  }
  const GenParam *param = gen->family->params + place;
  if (gen->given[place])
    report_error(gen->report, (Place){0}, "%s is given twice", param->name);
  gen->given[place] = true;
  if (param->kind == GEN_NUMBER)
    set_number(gen, place, value);
  else if (param->kind == GEN_WORD)
    set_word(gen, place, value);
  else
    gen->texts[place] = value;
}

// The word of a parameter with that number.
static void add_word(Text *out, const char *words, int number) {
  for (; number > 0; number--)
    words = strchr(words, '|') + 1;
  text_add_bytes(out, words, strcspn(words, "|"));
}

// The first line says how to make the model again, defaults included, since they may change.
static void add_origin(Gen *gen) {
  text_addf(gen->out, "# tarn gen %s", gen->family->name);
  for (int i = 0; gen->family->params[i].name; i++) {
    const GenParam *param = gen->family->params + i;
    if (param->kind == GEN_NUMBER) {
      text_addf(gen->out, " %s=%d", param->name, gen->numbers[i]);
    } else if (param->kind == GEN_WORD) {
      text_addf(gen->out, " %s=", param->name);
      add_word(gen->out, param->words, gen->numbers[i]);
    } else if (gen->texts[i]) { // may hold anything, but must not end the comment
      text_addf(gen->out, " %s=", param->name);
      for (const char *c = gen->texts[i]; *c; c++)
        text_add_char(gen->out, *c == '\n' || *c == '\r' ? '?' : *c);
    }
  }
  text_add(gen->out, "\n");
}

bool gen_write(Text *out, Report *report, const char *name, int count,
               const char *const *arguments) {
  Gen gen = {.out = out, .report = report, .family = find_family(report, name)};
  if (!gen.family)
    return false;
  for (int i = 0; gen.family->params[i].name; i++) {
    assert(i < GEN_PARAMS);
    gen.numbers[i] = gen.family->params[i].fallback;
  }
  for (int i = 0; i < count; i++)
    set_argument(&gen, arguments[i]);
  if (report_failed(report))
    return false;
  add_origin(&gen);
  gen.family->write(&gen);
  return !report_failed(report);
}

static void list_param(Text *out, const GenParam *param) {
  Text left = {.mem = out->mem};
  text_addf(&left, "%s=", param->name);
  if (param->kind == GEN_NUMBER)
    text_addf(&left, "%d", param->fallback);
  else if (param->kind == GEN_WORD)
    add_word(&left, param->words, param->fallback);
  else
    text_add(&left, "PATH");
  text_addf(out, "    %-18s %s", text_chars(&left), param->help);
  if (param->kind == GEN_NUMBER)
    text_addf(out, " (%d..%d)", param->low, param->high);
  else if (param->kind == GEN_WORD)
    text_addf(out, " (%s)", param->words);
  text_add(out, "\n");
  text_release(&left);
}

void gen_list(Text *out) {
  for (int i = 0; i < FAMILIES; i++) {
    text_addf(out, "%-16s %s\n", families[i].name, families[i].help);
    for (const GenParam *param = families[i].params; param->name; param++)
      list_param(out, param);
  }
}
