// Random programs of TChecker's language: agree_lines COUNT [FIRST], or agree_lines --file MODEL
// (programs.h)
//
// Each seed gives a model with integers and clocks, single ones and arrays, and edges, invariants
// and queries of random expressions and statements, with extreme numbers and odd blanks. A guard,
// an update, an invariant or a query is a program.
#include "programs.h"

#include "language/tchecker/tck.h"

#include <stdio.h>
#include <string.h>

enum { EDGES = 16, DEPTH = 4, LOCALS = 40 };

typedef struct Model {
  Program program;
  char locals[LOCALS][24]; // that can be read and assigned
  uint32_t local_count, names;
  uint32_t budget; // of statements
  uint32_t loops;  // around
  char bound[24];  // by a quantifier; empty: nothing
  bool is_query;
} Model;

static uint32_t below(Model *m, uint32_t count) { return program_below(&m->program, count); }

static bool one_in(Model *m, uint32_t count) { return !below(m, count); }

#define put(m, ...) program_put(&(m)->program, __VA_ARGS__)
#define PICK(m, list) (list)[below(m, sizeof(list) / sizeof *(list))]

static const char *const numbers[] = {"0",          "1",           "2",  "3",     "5",
                                      "-1",         "7",           "31", "100",   "65536",
                                      "2147483647", "-2147483648", "-3", "46341", "1073741824"};
static const char *const singles[] = {"n", "wide", "neg", "b.c", "zero", "n[0]"};
static const char *const arrays[] = {"v", "w"};
static const uint32_t sizes[] = {4, 2};

static void blank(Model *m) {
  static const char *const blanks[] = {"", "", "", " ", "  ", " ", "\n  "};
  put(m, "%s", PICK(m, blanks));
}

static void expression(Model *m, uint32_t depth);
static void formula(Model *m, uint32_t depth);

static void index_in(Model *m, uint32_t count, uint32_t depth) {
  if (!depth || one_in(m, 2)) {
    put(m, "%u", below(m, count + one_in(m, 20) * !m->is_query));
  } else if (one_in(m, 4)) {
    expression(m, depth - 1);
  } else {
    put(m, "((");
    expression(m, depth - 1);
    put(m, ") %% %u + %u) %% %u", count, count, count);
  }
}

static void storage(Model *m, uint32_t depth) {
  if (m->local_count && one_in(m, 2)) {
    put(m, "%s", m->locals[below(m, m->local_count)]);
  } else if (one_in(m, 2)) {
    put(m, "%s", PICK(m, singles));
  } else {
    const uint32_t k = below(m, 2);
    put(m, "%s[", arrays[k]);
    index_in(m, sizes[k], depth ? depth - 1 : 0);
    put(m, "]");
  }
}

// A truth as a number.
static void condition_in_query(Model *m, uint32_t depth) {
  static const char *const places[] = {"P.l0", "P.l1", "Q.l2", "P1.idle", "P_2.l0", "even"};
  if (*m->bound && one_in(m, 2))
    put(m, "P(%s%s)%s", one_in(m, 3) ? "3-" : "", m->bound, ".l0");
  else if (one_in(m, 2) || !depth)
    put(m, "%s", PICK(m, places));
  else {
    put(m, "(");
    expression(m, depth - 1);
    put(m, " < ");
    expression(m, depth - 1);
    put(m, ")");
  }
}

static void expression(Model *m, uint32_t depth) {
  static const char *const operators[] = {"+", "-", "*", "/", "%", "+", "-", "*"};
  blank(m);
  switch (depth ? below(m, 8) : below(m, 2)) {
  case 0:
    put(m, "%s", PICK(m, numbers));
    break;
  case 1:
    if (*m->bound && one_in(m, 3))
      put(m, "%s", m->bound);
    else if (m->is_query && one_in(m, 4))
      condition_in_query(m, 0);
    else
      storage(m, depth);
    break;
  case 2:
    put(m, "-(");
    expression(m, depth - 1);
    put(m, ")");
    break;
  case 3:
    put(m, "(if ");
    formula(m, depth - 1);
    put(m, " then ");
    expression(m, depth - 1);
    put(m, " else ");
    expression(m, depth - 1);
    put(m, ")");
    break;
  default: {
    const bool has_parentheses = one_in(m, 2);
    put(m, has_parentheses ? "(" : "");
    expression(m, depth - 1);
    blank(m);
    put(m, "%s", PICK(m, operators));
    expression(m, depth - 1);
    put(m, has_parentheses ? ")" : "");
  }
  }
  blank(m);
}

static const char *const comparisons[] = {"<", "<=", "==", "!=", ">=", ">"};

// Of integers, without clocks.
static void formula(Model *m, uint32_t depth) {
  if (m->is_query && one_in(m, 5)) {
    condition_in_query(m, depth);
    return;
  }
  switch (depth ? below(m, 6) : below(m, 2)) {
  case 0:
    expression(m, depth);
    put(m, "%s", PICK(m, comparisons));
    expression(m, depth);
    break;
  case 1:
    expression(m, depth);
    break;
  case 2:
    put(m, "!");
    blank(m);
    put(m, "(");
    formula(m, depth - 1);
    put(m, ")");
    break;
  case 3:
    expression(m, depth - 1);
    put(m, one_in(m, 2) ? "<" : "<=");
    expression(m, depth - 1);
    put(m, one_in(m, 2) ? "<" : "<=");
    expression(m, depth - 1);
    break;
  default:
    put(m, "(");
    formula(m, depth - 1);
    put(m, m->is_query && one_in(m, 2) ? " || " : " && ");
    formula(m, depth - 1);
    put(m, ")");
  }
}

static void clock(Model *m) {
  static const char *const clocks[] = {"x", "y", "c[0]", "c[2]", "x[0]"};
  if (one_in(m, 5)) {
    put(m, "c[");
    index_in(m, 3, 2);
    put(m, "]");
  } else {
    put(m, "%s", PICK(m, clocks));
  }
}

// What a clock is compared with, mostly small.
static void time(Model *m, uint32_t depth) {
  if (one_in(m, 3)) {
    put(m, "%u", below(m, 60));
  } else if (one_in(m, 12)) {
    put(m, "3000000000");
  } else {
    put(m, "(");
    expression(m, depth);
    put(m, ") %% 1000");
  }
}

static void clock_test(Model *m, uint32_t depth) {
  static const char *const operators[] = {"<", "<=", "==", ">=", ">", "!="};
  const char *op = operators[below(m, m->is_query ? 6 : 5)];
  switch (below(m, 5)) {
  case 0:
    time(m, depth);
    put(m, one_in(m, 2) ? "<" : "<=");
    clock(m);
    put(m, one_in(m, 2) ? "<" : " <= ");
    time(m, depth);
    break;
  case 1:
    time(m, depth);
    put(m, " %s ", op);
    clock(m);
    break;
  case 2:
    clock(m);
    put(m, one_in(m, 2) ? " - " : "-");
    clock(m);
    put(m, "%s", op);
    time(m, depth);
    break;
  case 3:
    clock(m);
    put(m, "%s", op);
    clock(m);
    break;
  default:
    clock(m);
    put(m, "%s", op);
    time(m, depth);
  }
}

// Guards and invariants. They do not know locals.
static void conjunction(Model *m, uint32_t depth) {
  const uint32_t parts = 1 + below(m, 4), locals = m->local_count;
  m->local_count = 0;
  for (uint32_t k = 0; k < parts; k++) {
    put(m, k ? " && " : "");
    const bool has_parentheses = one_in(m, 4);
    put(m, has_parentheses ? "(" : "");
    if (one_in(m, 2))
      clock_test(m, depth - 1);
    else
      formula(m, depth);
    put(m, has_parentheses ? ")" : "");
  }
  m->local_count = locals;
}

// Statements.

static void declare(Model *m) {
  const uint32_t name = m->names++;
  char text[24];
  if (one_in(m, 3)) {
    const uint32_t count = 1 + below(m, 3);
    put(m, "local l%u[%u]", name, count);
    snprintf(text, sizeof text, "l%u[%u]", name, below(m, count));
  } else if (one_in(m, 2)) {
    put(m, "local l%u", name);
    snprintf(text, sizeof text, "l%u", name);
  } else {
    put(m, "local l%u = ", name);
    expression(m, 2);
    snprintf(text, sizeof text, "l%u", name);
  }
  if (m->local_count < LOCALS)
    snprintf(m->locals[m->local_count++], sizeof *m->locals, "%s", text);
}

static void clock_update(Model *m, uint32_t depth) {
  clock(m);
  put(m, one_in(m, 2) ? "=" : " = ");
  switch (below(m, 4)) {
  case 0:
    time(m, depth);
    break;
  case 1:
    clock(m);
    break;
  case 2:
    clock(m);
    put(m, "+");
    time(m, depth);
    break;
  default:
    expression(m, 1);
    put(m, "+");
    clock(m);
    put(m, " + ");
    expression(m, depth);
  }
}

static void statement(Model *m, uint32_t depth);

static void block(Model *m, uint32_t depth) {
  const uint32_t count = 1 + below(m, 3);
  for (uint32_t k = 0; k < count; k++) {
    put(m, k ? "; " : " ");
    statement(m, depth);
  }
  put(m, one_in(m, 6) ? "; " : " ");
}

static void loop(Model *m, uint32_t depth) {
  const uint32_t name = m->names++, locals = m->local_count;
  put(m, "local i%u = %u; while i%u > 0 do i%u = i%u - 1;", name, below(m, 6), name, name, name);
  m->loops++;
  block(m, depth);
  m->loops--;
  put(m, "end");
  m->local_count = locals; // those of its body are gone
}

static void statement(Model *m, uint32_t depth) {
  const bool is_large = depth && m->budget;
  m->budget -= is_large;
  switch (is_large ? below(m, 8) : 3 + below(m, 5)) {
  case 0:
  case 1:
    put(m, "if ");
    formula(m, 2);
    put(m, " then");
    block(m, depth - 1); // its locals stay
    if (one_in(m, 2)) {
      put(m, "else");
      block(m, depth - 1);
    }
    put(m, "end");
    break;
  case 2:
    loop(m, depth - 1);
    break;
  case 3:
    declare(m);
    break;
  case 4:
    clock_update(m, 2);
    break;
  case 5:
    put(m, "nop");
    break;
  default:
    storage(m, 2);
    put(m, one_in(m, 2) ? "=" : " = ");
    if (one_in(m, 3)) {
      expression(m, DEPTH);
    } else {
      put(m, "(");
      expression(m, 2);
      put(m, ") %% 7");
    }
  }
}

static void updates(Model *m) {
  m->local_count = 0;
  m->budget = 12;
  block(m, 3);
}

// What a query asks for.
static void asked(Model *m, uint32_t depth) {
  static const char *const operators[] = {"&&", "||", "and", "or", "imply", "&&"};
  switch (depth ? below(m, 7) : below(m, 3)) {
  case 0:
    clock_test(m, 1);
    break;
  case 1:
    put(m, "(");
    formula(m, 2);
    put(m, ")");
    break;
  case 2:
    put(m, one_in(m, 4) ? "deadlock" : one_in(m, 2) ? "true" : "P.l1 /* there */");
    break;
  case 3:
    put(m, one_in(m, 2) ? "not (" : "!(");
    asked(m, depth - 1);
    put(m, ")");
    break;
  case 4:
    if (!*m->bound) {
      static const char *const quantifiers[] = {"forall", "exists"};
      snprintf(m->bound, sizeof m->bound, "i%u", m->names++);
      put(m, "(%s (%s : int[1,2]) ", PICK(m, quantifiers), m->bound);
      formula(m, 2);
      put(m, " %s ", PICK(m, operators));
      asked(m, depth - 1);
      put(m, ")");
      *m->bound = '\0';
      break;
    }
    __attribute__((fallthrough));
  default:
    put(m, "(");
    asked(m, depth - 1);
    put(m, " %s ", PICK(m, operators));
    asked(m, depth - 1);
    put(m, ")");
  }
}

static void declarations(Model *m) {
  put(m, "system:s\nevent:a\nevent:b.e # an event\n");
  put(m, "int:1:0:9:%u:n\nint:4:-5:%u:-2:v\nint : 1 : -2147483648 : 2147483647 : +3 : wide\n",
      below(m, 10), 1 + below(m, 100));
  put(m, "int:2:0:1:0:w{kept: yes}\nint:1:-100:-3:-7:neg\nint:1:0:0:0:zero\nint:1:0:255:7:b.c\n");
  put(m, "clock:1:x\nclock:3:c\nclock:1:y\n");
}

static void locations(Model *m, const char *process, uint32_t count) {
  for (uint32_t k = 0; k < count; k++) {
    put(m, "location:%s:%s%u{%s", process, "l", k, k ? "" : "initial:");
    put(m, "%sinvariant:", k ? "" : " : ");
    conjunction(m, 3);
    put(m, "%s", one_in(m, 3) ? " : labels: even,some" : one_in(m, 4) ? " : committed:" : "");
    put(m, "}\n");
  }
}

static void edges(Model *m, const char *process, uint32_t count) {
  for (uint32_t k = 0; k < count; k++) {
    put(m, "edge:%s:l%u:l%u:%s{", process, below(m, 3), below(m, 3), one_in(m, 3) ? "b.e" : "a");
    put(m, "provided: ");
    conjunction(m, DEPTH);
    put(m, " : do:");
    updates(m);
    if (one_in(m, 6)) {
      put(m, " : provided:");
      conjunction(m, 1);
      put(m, ":do:");
      block(m, 1); // the locals of the first one are known
    }
    put(m, "}\n");
  }
}

static void make(Program *p, uint64_t seed) {
  static Model model;
  Model *m = &model;
  *m = (Model){.program = {.random = seed * UINT64_C(0x9e3779b97f4a7c15) + 1}};
  for (int k = 0; k < 5; k++)
    below(m, 2);
  declarations(m);
  put(m, "process:P\nprocess:Q\nprocess:P1\nprocess:P_2\n");
  put(m, "location:P1:idle{initial:}\nlocation:P1:l0{labels: even}\nlocation:P_2:l0{initial:}\n");
  locations(m, "P", 3);
  locations(m, "Q", 3);
  edges(m, "P", EDGES / 2);
  edges(m, "Q", EDGES / 2);
  put(m, "sync:P@a:Q@b.e?:P1@a\n");
  m->is_query = true;
  m->local_count = 0;
  const size_t size = m->program.size;
  for (int k = 0; k < PROGRAM_QUERIES; k++) {
    put(m, "%s ", one_in(m, 2) ? "E<>" : "A[]");
    asked(m, 3);
    snprintf(m->program.queries[k], sizeof m->program.queries[k], "%s", m->program.text + size);
    m->program.size = size;
    m->program.text[size] = '\0';
  }
  *p = m->program;
}

int main(int argc, char **argv) {
  const Programs programs = {.name = "agree_lines", .read = tck_read, .make = make, .more = 6};
  return programs_main(argc, argv, &programs);
}
