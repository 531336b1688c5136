// Random programs of UPPAAL's language: agree_programs COUNT [FIRST], or agree_programs --file
// MODEL (programs.h)
//
// Each seed gives a model with variables of all types, functions, and edges, invariants and
// queries of random expressions and statements, with extreme numbers. A guard, an update, an
// invariant, a function or a query is a program.
#include "programs.h"

#include "language/uppaal/uppaal.h"

#include <stdio.h>

enum { FUNCTIONS = 6, EDGES = 14, DEPTH = 4 };

typedef struct Variable { // an integer that can be assigned
  char text[24];
} Variable;

typedef struct Model {
  Program program;
  Variable locals[64];
  uint32_t local_count, loop_count; // loop variables are not assigned
  uint32_t functions;               // declared so far
  char kinds[FUNCTIONS];            // what a function takes and gives, see declare_function
  bool is_pure[FUNCTIONS];
  bool has_effects; // what is made may change variables
  bool is_query;
  bool in_function;
  uint32_t names, budget;
} Model;

static uint32_t below(Model *m, uint32_t count) { return program_below(&m->program, count); }

static bool one_in(Model *m, uint32_t count) { return !below(m, count); }

#define put(m, ...) program_put(&(m)->program, __VA_ARGS__)
#define PICK(m, list) (list)[below(m, sizeof(list) / sizeof *(list))]

static const char *const types[] = {"int",
                                    "int[0,3]",
                                    "int[-5,9]",
                                    "int32_t",
                                    "bool",
                                    "int[0,0]",
                                    "int[-100,-3]",
                                    "int16_t",
                                    "wide_t",
                                    "int[2,70]",
                                    "uint8_t",
                                    "small_t",
                                    "int[-2147483648,2147483647]"};
static const char *const numbers[] = {
    "0",         "1",         "2",          "3",     "7",      "-1",    "31",         "32",
    "100",       "255",       "-5",         "32767", "-32768", "65536", "2147483647", "INT32_MIN",
    "INT32_MAX", "INT16_MIN", "1073741824", "K0",    "K1",     "true"};
static const char *const globals[] = {"g0",   "g1",   "g2",      "g3",      "b0",   "b1", "m0",
                                      "r0.f", "r0.h", "r1.g[1]", "ra[1].f", "rt.v", "i8", "p0"};

static void expression(Model *m, uint32_t depth);
static void condition(Model *m, uint32_t depth);
static void statement(Model *m, uint32_t depth);

// An index for an array with indices low .. low + count - 1, mostly within.
static void index_of(Model *m, int low, int count, uint32_t depth) {
  if (one_in(m, 3) || !depth) {
    put(m, "%d", low + (int)below(m, (uint32_t)count));
  } else if (one_in(m, 12)) {
    expression(m, depth - 1);
  } else if (low) {
    put(m, "(((");
    expression(m, depth - 1);
    put(m, ") & 255) %% %d + %d)", count, low);
  } else {
    put(m, "((");
    expression(m, depth - 1);
    put(m, ") & 255) %% %d", count);
  }
}

static void element(Model *m, uint32_t depth) {
  depth = depth ? depth - 1 : 0;
  switch (below(m, 8)) {
  case 0:
    put(m, "a0[");
    index_of(m, 0, 3, depth);
    break;
  case 1:
    put(m, "a1[");
    index_of(m, -1, 4, depth);
    break;
  case 2:
    put(m, "a2[");
    index_of(m, 0, 2, depth);
    put(m, "][");
    index_of(m, 0, 3, depth);
    break;
  case 3:
    put(m, "a3[");
    index_of(m, 0, 4, depth);
    break;
  case 4:
    put(m, "r0.g[");
    index_of(m, 0, 2, depth);
    break;
  case 5:
    put(m, "ra[");
    index_of(m, 0, 2, depth);
    put(m, "].g[");
    index_of(m, 0, 2, depth);
    break;
  case 6:
    put(m, "ra[");
    index_of(m, 0, 2, depth);
    put(m, "].%s", one_in(m, 2) ? "f" : "h");
    return;
  default:
    put(m, "own[");
    index_of(m, 0, 2, depth);
  }
  put(m, "]");
}

// An integer that can be assigned to. Functions do not know what belongs to the process.
static void target(Model *m, uint32_t depth) {
  const uint32_t locals = m->local_count, count = sizeof globals / sizeof *globals;
  if (locals && (one_in(m, 2) || !m->has_effects))
    put(m, "%s", m->locals[below(m, locals)].text);
  else if (m->in_function || m->is_query)
    put(m, "%s", globals[below(m, count - 1)]);
  else if (one_in(m, 2))
    element(m, depth);
  else
    put(m, "%s", PICK(m, globals));
}

static bool can_write(const Model *m) { return m->has_effects || m->local_count; }

static void leaf(Model *m, uint32_t depth) {
  switch (below(m, 6)) {
  case 0:
  case 1:
    put(m, "%s", PICK(m, numbers));
    break;
  case 2:
    if (m->is_query || m->in_function)
      put(m, "kt[%u]", below(m, 4));
    else
      element(m, depth);
    break;
  case 3:
    if (m->local_count) {
      put(m, "%s", m->locals[below(m, m->local_count)].text);
      break;
    }
    __attribute__((fallthrough));
  default:
    if (m->is_query && one_in(m, 3))
      put(m, "P%u.%s", 1 + below(m, 2), one_in(m, 2) ? "p0" : one_in(m, 2) ? "A" : "own[1]");
    else if (m->in_function || m->is_query)
      put(m, "%s", globals[below(m, sizeof globals / sizeof *globals - 1)]);
    else
      put(m, "%s", PICK(m, globals));
  }
}

// A quantifier; its variable is a local that must not be assigned to, so it has another name.
static void quantifier(Model *m, const char *kind, uint32_t depth) {
  static const char *const ranges[] = {"int[0,2]", "int[-1,1]", "small_t",
                                       "bool",     "int[3,2]",  "int[2147483646,2147483647]"};
  const uint32_t name = m->names++;
  put(m, "(%s (q%u : %s) ", kind, name, PICK(m, ranges));
  put(m, "(q%u %s (", name, strcmp(kind, "sum") ? "!=" : "+");
  expression(m, depth - 1);
  put(m, ")))");
}

static void call(Model *m, uint32_t depth) {
  uint32_t f = below(m, m->functions);
  if (!m->has_effects && !m->is_pure[f]) {
    leaf(m, depth);
    return;
  }
  depth = depth ? depth - 1 : 0;
  put(m, "f%u(", f);
  switch (m->kinds[f]) {
  case 'i': // int, bool
    expression(m, depth);
    put(m, ", ");
    expression(m, depth);
    break;
  case 'a': // an array by value, an index
    put(m, "%s, ", one_in(m, 2) ? "a0" : "aa");
    expression(m, depth);
    break;
  case 'r': // a reference
    if (m->is_query)
      put(m, "g0");
    else
      target(m, depth);
    break;
  default: // a struct
    put(m, "%s", one_in(m, 2) ? "r0" : "r1");
  }
  put(m, ")%s", m->kinds[f] == 's' ? ".f" : "");
}

static void operation(Model *m, uint32_t depth) {
  static const char *const operators[] = {"+",  "-",  "*",     "&",   "|",   "^", "<?",
                                          ">?", "==", "!=",    "<",   "<=",  ">", ">=",
                                          "&&", "||", "imply", "xor", "and", "or"};
  put(m, "((");
  expression(m, depth - 1);
  put(m, ") %s (", PICK(m, operators));
  expression(m, depth - 1);
  put(m, "))");
}

static void risky(Model *m, uint32_t depth) {
  static const char *const operators[] = {"/", "%", "<<", ">>"};
  const char *operator= PICK(m, operators);
  put(m, "((");
  expression(m, depth - 1);
  put(m, ") %s (", operator);
  if (one_in(m, 6)) {
    expression(m, depth - 1);
  } else {
    put(m, "(");
    expression(m, depth - 1);
    put(m, ") %s", *operator== '<' || * operator== '>' ? "& 31" : "| 1");
  }
  put(m, "))");
}

static void inner_effect(Model *m, uint32_t depth) {
  static const char *const assigns[] = {
      "=", "+=", "-=", "*=", "|=", "&=", "^=", "<<=", ">>=", "%=", "/="};
  switch (below(m, 4)) {
  case 0:
    put(m, "(");
    target(m, depth);
    put(m, "%s)", one_in(m, 2) ? "++" : "--");
    break;
  case 1:
    put(m, "(%s", one_in(m, 2) ? "++" : "--");
    target(m, depth);
    put(m, ")");
    break;
  default:
    put(m, "(");
    target(m, depth);
    put(m, " %s (", one_in(m, 2) ? "=" : PICK(m, assigns));
    expression(m, depth - 1);
    put(m, ")%s)", one_in(m, 2) ? " & 3" : "");
  }
}

static void expression(Model *m, uint32_t depth) {
  if (!depth || !m->budget) {
    leaf(m, depth);
    return;
  }
  m->budget--;
  switch (below(m, 14)) {
  case 0:
    put(m, "(%s(", one_in(m, 2) ? "-" : "!");
    expression(m, depth - 1);
    put(m, "))");
    break;
  case 1:
    put(m, "abs(");
    expression(m, depth - 1);
    put(m, ")");
    break;
  case 2:
    put(m, "((");
    expression(m, depth - 1);
    put(m, ") ? (");
    expression(m, depth - 1);
    put(m, ") : (");
    expression(m, depth - 1);
    put(m, "))");
    break;
  case 3:
    quantifier(m, one_in(m, 2) ? "sum" : one_in(m, 2) ? "forall" : "exists", depth);
    break;
  case 4:
  case 5:
    risky(m, depth);
    break;
  case 6:
    if (m->functions)
      call(m, depth);
    else
      operation(m, depth);
    break;
  case 7:
    if (m->has_effects && can_write(m) && one_in(m, 2))
      inner_effect(m, depth);
    else if (one_in(m, 4))
      put(m, "(%s == %s)", one_in(m, 2) ? "r0" : "r1", one_in(m, 2) ? "r1" : "KR");
    else
      leaf(m, depth);
    break;
  case 8:
    if (one_in(m, 3) && !m->is_query) {
      put(m, "((");
      expression(m, depth - 1);
      put(m, ") ** %u)", below(m, 5));
      break;
    }
    __attribute__((fallthrough));
  default:
    operation(m, depth);
  }
}

// Clock constraints.

static const char *const clocks[] = {"x", "y", "z[0]", "z[2]", "rt.c"};

static void clock_test(Model *m, uint32_t depth) {
  static const char *const operators[] = {"<", "<=", "==", ">=", ">"};
  put(m, "(%s", PICK(m, clocks));
  if (one_in(m, 4))
    put(m, " - %s", PICK(m, clocks));
  if (one_in(m, 5))
    put(m, " + %u", below(m, 50));
  put(m, " %s ((", PICK(m, operators));
  expression(m, depth ? depth - 1 : 0);
  put(m, ") %% 1000))");
}

// A conjunction, as guards and invariants are.
static void constraint(Model *m, uint32_t depth) {
  switch (below(m, 8)) {
  case 0:
  case 1:
    clock_test(m, depth);
    break;
  case 2:
    put(m, "((");
    expression(m, depth - 1);
    put(m, ") || ");
    clock_test(m, depth);
    put(m, ")");
    break;
  case 3:
    put(m, "((");
    expression(m, depth - 1);
    put(m, ") imply ");
    clock_test(m, depth);
    put(m, ")");
    break;
  case 4: {
    const uint32_t name = m->names++;
    put(m, "(forall (q%u : int[0,2]) z[q%u] >= (q%u + (", name, name, name);
    expression(m, depth - 1);
    put(m, ")) %% 100)");
    break;
  }
  case 5:
    put(m, "(");
    constraint(m, depth - 1);
    put(m, " && ");
    constraint(m, depth - 1);
    put(m, ")");
    break;
  default:
    put(m, "(");
    expression(m, depth);
    put(m, ")");
  }
}

static void condition(Model *m, uint32_t depth) {
  const uint32_t parts = 1 + below(m, 3);
  for (uint32_t k = 0; k < parts; k++) {
    put(m, "%s", k ? " && " : "");
    constraint(m, depth);
  }
}

// What a query asks for: any formula.
static void formula(Model *m, uint32_t depth) {
  static const char *const operators[] = {"&&", "||", "imply", "!=", "=="};
  if (!depth || one_in(m, 4)) {
    if (one_in(m, 2))
      clock_test(m, 1);
    else if (one_in(m, 6))
      put(m, "deadlock");
    else {
      put(m, "((");
      expression(m, 2);
      put(m, ") != 0)");
    }
    return;
  }
  if (one_in(m, 4)) {
    put(m, "(not ");
    formula(m, depth - 1);
    put(m, ")");
    return;
  }
  put(m, "(");
  formula(m, depth - 1);
  put(m, " %s ", PICK(m, operators));
  formula(m, depth - 1);
  put(m, ")");
}

// Statements.

static uint32_t declare_local(Model *m, bool may_be_assigned) {
  const uint32_t name = m->names++;
  if (may_be_assigned && m->local_count < 60)
    snprintf(m->locals[m->local_count++].text, sizeof m->locals->text, "l%u", name);
  return name;
}

static void block(Model *m, uint32_t depth) {
  const uint32_t locals = m->local_count, count = 1 + below(m, 3);
  put(m, "{ ");
  for (uint32_t k = 0; k < count; k++)
    statement(m, depth);
  put(m, "} ");
  m->local_count = locals;
}

static void local(Model *m, uint32_t depth) {
  const uint32_t name = m->names++;
  char text[24];
  const uint32_t kind = below(m, 6);
  if (kind == 0) {
    put(m, "int l%u[3] = {", name);
    for (int k = 0; k < 3; k++) {
      put(m, k ? ", (" : "(");
      expression(m, 1);
      put(m, ") & 255");
    }
    put(m, "}; ");
    snprintf(text, sizeof text, "l%u[%u]", name, below(m, 3));
  } else if (kind == 1) {
    put(m, "rec_t l%u%s; ", name,
        one_in(m, 2)   ? " = r0"
        : one_in(m, 2) ? " = {1, {2, 3}, true}"
                       : "");
    snprintf(text, sizeof text, "l%u.%s", name, one_in(m, 2) ? "f" : "g[1]");
  } else if (kind == 2) {
    put(m, "const %s l%u = 2; ", one_in(m, 2) ? "int" : "small_t", name);
    return;
  } else if (one_in(m, 2)) {
    put(m, "%s l%u; ", PICK(m, types), name);
    snprintf(text, sizeof text, "l%u", name);
  } else {
    put(m, "%s l%u = (", one_in(m, 2) ? "int32_t" : PICK(m, types), name);
    expression(m, depth);
    put(m, ")%s; ", one_in(m, 2) ? " & 3" : "");
    snprintf(text, sizeof text, "l%u", name);
  }
  if (m->local_count < 60)
    snprintf(m->locals[m->local_count++].text, sizeof m->locals->text, "%s", text);
}

static void loop(Model *m, uint32_t depth) {
  const uint32_t locals = m->local_count, bound = below(m, 5), name = declare_local(m, false);
  switch (below(m, 4)) {
  case 0:
    put(m, "{ int n%u = %u; while (n%u > 0) { n%u--; ", name, bound, name, name);
    statement(m, depth);
    put(m, "} } ");
    break;
  case 1:
    put(m, "{ int n%u = %u; do { n%u--; ", name, bound, name);
    statement(m, depth);
    put(m, "} while (n%u > 0); } ", name);
    break;
  case 2:
    put(m, "{ int n%u; for (n%u = 0; n%u < %u; n%u++) ", name, name, name, bound, name);
    block(m, depth);
    put(m, "} ");
    break;
  default: {
    static const char *const ranges[] = {"int[0,3]", "small_t", "bool", "int[-2,0]",
                                         "int[2147483645,2147483647]"};
    put(m, "for (n%u : %s) ", name, PICK(m, ranges));
    block(m, depth);
  }
  }
  m->local_count = locals;
}

static void copy(Model *m) {
  static const char *const copies[] = {"r0 = r1", "r1 = ra[g1 & 1]", "ra[1] = r0", "r0 = KR",
                                       "a0 = aa", "aa = a0",         "s0 = s1",    "aa = a0"};
  put(m, "%s", PICK(m, copies));
}

static void clock_update(Model *m, uint32_t depth) {
  switch (below(m, 5)) {
  case 0:
    put(m, "%s = (%s)", PICK(m, clocks), PICK(m, clocks));
    break;
  case 1:
    put(m, "%s = %s + %d", PICK(m, clocks), PICK(m, clocks), (int)below(m, 9) - 4);
    break;
  case 2:
    put(m, "%s = %s = %u", PICK(m, clocks), PICK(m, clocks), below(m, 9));
    break;
  case 3:
    put(m, "rt = ru");
    break;
  default:
    put(m, "z[");
    index_of(m, 0, 3, 1);
    put(m, "] = (");
    expression(m, depth);
    put(m, ") %% 512");
  }
}

// What an update consists of, and what stands as a statement.
static void effect(Model *m, uint32_t depth) {
  if (m->has_effects && one_in(m, 8)) {
    copy(m);
  } else if (m->has_effects && one_in(m, 6)) {
    clock_update(m, depth);
  } else if (m->functions && one_in(m, 5) && m->has_effects) {
    call(m, depth);
  } else {
    const bool has_effects = m->has_effects;
    if (one_in(m, 10)) {
      put(m, "(");
      expression(m, 1);
      put(m, ") ? ");
      inner_effect(m, 1);
      put(m, " : ");
      inner_effect(m, 1);
    } else {
      inner_effect(m, depth);
    }
    m->has_effects = has_effects;
  }
}

static void statement(Model *m, uint32_t depth) {
  if (!depth || !m->budget) {
    if (can_write(m)) {
      effect(m, 1);
      put(m, "; ");
    } else {
      put(m, "; ");
    }
    return;
  }
  m->budget--;
  switch (below(m, 9)) {
  case 0:
    put(m, "if (");
    expression(m, 2);
    put(m, ") ");
    block(m, depth - 1);
    if (one_in(m, 2)) {
      put(m, "else ");
      block(m, depth - 1);
    }
    break;
  case 1:
  case 2:
    loop(m, depth - 1);
    break;
  case 3:
    block(m, depth - 1);
    break;
  case 4:
  case 5:
    local(m, 2);
    break;
  case 6:
    if (one_in(m, 12)) {
      put(m, "assert((");
      expression(m, 1);
      put(m, ") != 77); ");
      break;
    }
    __attribute__((fallthrough));
  default:
    if (can_write(m)) {
      effect(m, 2);
      put(m, "; ");
    }
  }
}

static void declare_function(Model *m) {
  static const char kinds[] = "iars";
  static const char *const results[] = {"int", "bool", "int32_t", "int[-300,300]", "wide_t"};
  const uint32_t f = m->functions;
  const char kind = kinds[below(m, 4)];
  const bool is_pure = one_in(m, 2) && kind != 'r';
  m->kinds[f] = kind;
  m->is_pure[f] = is_pure;
  m->has_effects = !is_pure;
  m->in_function = true;
  m->local_count = 0;
  m->budget = 40;
  const char *result = PICK(m, results);
  switch (kind) {
  case 'i':
    put(m, "%s f%u(%s u, bool v) { ", result, f, PICK(m, types));
    break;
  case 'a':
    put(m, "%s f%u(int u[3], int32_t v) { ", result, f);
    break;
  case 'r':
    put(m, "%s f%u(int &u) { ", result, f);
    break;
  default:
    put(m, "rec_t f%u(rec_t u) { ", f);
  }
  const char *const own = kind == 'a' ? "u[1]" : kind == 's' ? "u.f" : "u";
  snprintf(m->locals[m->local_count++].text, sizeof m->locals->text, "%s", own);
  if (kind == 'i' || kind == 'a')
    snprintf(m->locals[m->local_count++].text, sizeof m->locals->text, "v");
  const uint32_t count = 2 + below(m, 4);
  for (uint32_t k = 0; k < count; k++)
    statement(m, 3);
  if (kind == 's') {
    put(m, "return %s; }\n", one_in(m, 2) ? "u" : "r1");
  } else {
    if (one_in(m, 3)) {
      put(m, "if (");
      expression(m, 1);
      put(m, ") return (");
      expression(m, 2);
      put(m, ") & 127; ");
    }
    put(m, "return (");
    expression(m, 2);
    put(m, ")%s; }\n", one_in(m, 2) ? " & 127" : "");
  }
  m->functions++;
  m->in_function = false;
}

static void declare(Model *m) {
  put(m,
      "const int K0 = %s; const int[-9,9] K1 = %d; typedef int[%d,%u] small_t; typedef "
      "int[-1000000000,2000000000] wide_t;\n",
      numbers[below(m, 15)], (int)below(m, 19) - 9, -(int)below(m, 2), 1 + below(m, 3));
  put(m,
      "typedef struct { int f; int[0,5] g[2]; bool h; } rec_t; const rec_t KR = {%u, {1, %u}, "
      "true}; const int kt[4] = {%u, -7, K0, 3};\n",
      below(m, 9), below(m, 6), below(m, 99));
  for (int k = 0; k < 4; k++)
    put(m, "%s g%d; ", PICK(m, types), k);
  put(m, "bool b0, b1 = %s; meta int m0; int8_t i8 = %u;\n", one_in(m, 2) ? "true" : "false",
      below(m, 100));
  put(m, "int a0[3], aa[3] = {1, K1, 3}; int32_t a1[int[-1,2]]; int[0,9] a2[2][3]; bool a3[4];\n"
         "rec_t r0, r1 = KR, ra[2]; typedef scalar[3] set_t; set_t s0, s1; int sa[set_t];\n"
         "clock x, y, z[3]; struct { clock c; int[-9,99] v; } rt, ru;\n");
  for (int k = 0; k < FUNCTIONS; k++)
    declare_function(m);
}

static void make_edges(Model *m) {
  static const char *const names[] = {"A", "B", "C"};
  for (int e = 0; e < EDGES; e++) {
    m->local_count = 0;
    m->budget = 30;
    put(m, "%s%s -> %s { ", e ? ",\n    " : "", names[e % 3], names[below(m, 3)]);
    if (one_in(m, 4))
      put(m, "select k%d : %s; ", e, one_in(m, 2) ? "int[0,1]" : "small_t");
    put(m, "guard ");
    m->has_effects = false;
    condition(m, DEPTH);
    put(m, "; assign ");
    m->has_effects = true;
    m->budget = 30;
    const uint32_t count = 1 + below(m, 4);
    for (uint32_t k = 0; k < count; k++) {
      put(m, "%s", k ? ", " : "");
      effect(m, DEPTH);
    }
    put(m, "; }");
  }
}

static void make_model(Model *m, uint64_t seed) {
  *m = (Model){.program = {.random = seed * UINT64_C(0x9e3779b97f4a7c15) + 1}};
  for (int k = 0; k < 5; k++)
    below(m, 2);
  declare(m);
  m->local_count = 0;
  m->has_effects = false;
  put(m, "process P(const int[0,3] me, int p0, int &own[2]) {\n  clock w;\n  state A { ");
  m->budget = 30;
  condition(m, 3);
  put(m, " }, B { w <= 9 || ");
  expression(m, 3);
  put(m, " }, C;\n  init A;\n  trans ");
  make_edges(m);
  m->local_count = 0;
  put(m, ";\n}\nint o1[2], o2[2];\nP1 = P(1, 2, o1); P2 = P(3, -1, o2);\nsystem P1, P2;\n");
  m->is_query = true;
  m->has_effects = false;
  Program *p = &m->program;
  const size_t size = p->size;
  for (int k = 0; k < PROGRAM_QUERIES; k++) {
    m->budget = 12;
    put(m, "%s ", one_in(m, 2) ? "E<>" : "A[]");
    formula(m, 3);
    snprintf(p->queries[k], sizeof p->queries[k], "%s", p->text + size);
    p->size = size;
    p->text[size] = '\0';
  }
}

static void make(Program *p, uint64_t seed) {
  static Model model;
  make_model(&model, seed);
  *p = model.program;
}

int main(int argc, char **argv) {
  const Programs programs = {
      .name = "agree_programs", .read = uppaal_read, .make = make, .more = 4 + 2 * FUNCTIONS};
  return programs_main(argc, argv, &programs);
}
