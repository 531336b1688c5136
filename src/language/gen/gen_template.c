// Templates: most model families are a file FAMILY.template beside this one (base/embedded.h).
// It is the text of the model, line by line, with
//   $x, ${e}                   the value of a name or an expression
//   @for x = a .. b ... @end   lines for each x
//   @if e ... @else ... @end   lines if e is not 0, or else others
//   @let x = e                 a name, until the loop around it goes on
//   @require e: text           an error with this text if e is 0
//   @# ...                     a comment
// and `\` where a line goes on in the next one. Expressions are those of C, on ints. Names are
// those of @for and @let, the parameters of the family, and the words of its parameters, which
// stand for their numbers.
//
// Names and order of declarations are part of a benchmark: they decide how many nodes a search
// visits.
#include "language/gen/gen_family.h"

#include "base/embedded.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES = 8 };

typedef struct Name { // not terminated
  const char *chars;
  size_t length;
} Name;

typedef struct Template {
  Gen *gen;
  const char *at; // in a line
  Name names[NAMES];
  int values[NAMES];
  unsigned name_count;
} Template;

static void skip_blanks(Template *t) { t->at += strspn(t->at, " "); }

// Reads `text` if it is next.
static bool accept(Template *t, const char *text) {
  skip_blanks(t);
  const size_t length = strlen(text);
  const bool is_next = !strncmp(t->at, text, length);
  t->at += is_next ? length : 0;
  return is_next;
}

static Name read_name(Template *t) {
  skip_blanks(t);
  Name name = {.chars = t->at};
  while (isalpha((unsigned char)*t->at))
    t->at++;
  name.length = (size_t)(t->at - name.chars);
  return name;
}

static int value_of(const Template *t, Name name) {
  for (unsigned i = t->name_count; i-- > 0;)
    if (name.length == t->names[i].length && !strncmp(name.chars, t->names[i].chars, name.length))
      return t->values[i];
  return gen_value(t->gen, name.chars, name.length);
}

static void define(Template *t, Name name, int value) {
  assert(t->name_count < NAMES);
  t->names[t->name_count] = name;
  t->values[t->name_count++] = value;
}

static int read_expr(Template *t, int level);

// A number, a name, or an expression in parentheses.
static int read_operand(Template *t) {
  skip_blanks(t);
  if (accept(t, "(")) {
    const int value = read_expr(t, 0);
    t->at += strspn(t->at, " )");
    return value;
  }
  if (!isdigit((unsigned char)*t->at))
    return value_of(t, read_name(t));
  char *end;
  const long value = strtol(t->at, &end, 10);
  t->at = end;
  return (int)value;
}

// Operators bind the tighter the later their row.
static int read_expr(Template *t, int level) {
  enum { LEVELS = 3 };
  if (level == LEVELS)
    return read_operand(t);
  int a = read_expr(t, level + 1);
  for (;;) {
    if (level == 0 && accept(t, "=="))
      a = a == read_expr(t, 1);
    else if (level == 0 && accept(t, "!="))
      a = a != read_expr(t, 1);
    else if (level == 0 && accept(t, "<="))
      a = a <= read_expr(t, 1);
    else if (level == 0 && accept(t, "<"))
      a = a < read_expr(t, 1);
    else if (level == 1 && accept(t, "+"))
      a += read_expr(t, 2);
    else if (level == 1 && accept(t, "-"))
      a -= read_expr(t, 2);
    else if (level == 2 && accept(t, "*"))
      a *= read_operand(t);
    else if (level == 2 && accept(t, "/"))
      a /= read_operand(t);
    else if (level == 2 && accept(t, "%"))
      a %= read_operand(t);
    else
      return a;
  }
}

// Appends a line, or what is left of one, without its end.
static void add_line(Template *t, Text *out, const char *line) {
  for (;;) {
    const size_t length = strcspn(line, "$\\\n");
    text_add_bytes(out, line, length);
    if (line[length] != '$')
      break;
    t->at = line + length + 1;
    const bool is_expr = accept(t, "{");
    text_addf(out, "%d", is_expr ? read_expr(t, 0) : value_of(t, read_name(t)));
    line = t->at + is_expr;
  }
}

static bool begins(const char *line, const char *word) {
  return !strncmp(line, word, strlen(word));
}

static const char *run(Template *, const char *line, bool is_on);

// Each returns the line with @end. Lines that are not on are passed over.
static const char *run_for(Template *t, const char *line, bool is_on) {
  const unsigned count = t->name_count;
  if (is_on) {
    t->at = line + strlen("@for");
    const Name name = read_name(t);
    accept(t, "=");
    const int first = read_expr(t, 0);
    accept(t, "..");
    const int last = read_expr(t, 0);
    for (int value = first; value <= last; value++, t->name_count = count) {
      define(t, name, value);
      run(t, embedded_next(line), true);
    }
  }
  return run(t, embedded_next(line), false);
}

static const char *run_if(Template *t, const char *line, bool is_on) {
  t->at = line + strlen("@if");
  const bool holds = is_on && read_expr(t, 0);
  line = run(t, embedded_next(line), holds);
  return begins(line, "@else") ? run(t, embedded_next(line), is_on && !holds) : line;
}

static void run_let(Template *t, const char *line) {
  t->at = line + strlen("@let");
  const Name name = read_name(t);
  accept(t, "=");
  define(t, name, read_expr(t, 0));
}

static void run_require(Template *t, const char *line) {
  t->at = line + strlen("@require");
  if (read_expr(t, 0))
    return;
  accept(t, ": ");
  Text text = {.mem = t->gen->out->mem};
  add_line(t, &text, t->at);
  report_error(t->gen->report, (Place){0}, "%s", text_chars(&text));
  text_release(&text);
}

// Runs lines up to the @end or @else that belongs to the line before them.
static const char *run(Template *t, const char *line, bool is_on) {
  for (; *line && !begins(line, "@end") && !begins(line, "@else"); line = embedded_next(line)) {
    if (begins(line, "@for")) {
      line = run_for(t, line, is_on);
    } else if (begins(line, "@if")) {
      line = run_if(t, line, is_on);
    } else if (!is_on || begins(line, "@#")) {
      continue;
    } else if (begins(line, "@let")) {
      run_let(t, line);
    } else if (begins(line, "@require")) {
      run_require(t, line);
    } else {
      add_line(t, t->gen->out, line);
      if (!strstr(line, "\\\n"))
        text_add_char(t->gen->out, '\n');
    }
  }
  return line;
}

void gen_template(Gen *gen) {
  char file[64];
  snprintf(file, sizeof file, "%s.template", gen->family->name);
  Template t = {.gen = gen};
  run(&t, embedded_lines(file), true);
}
