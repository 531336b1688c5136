#include "language/mutants.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {
    [MUTANT_CONSTANT] = "constant",   [MUTANT_STRICT] = "strict",
    [MUTANT_TURN] = "turn",           [MUTANT_DROP_RESET] = "drop-reset",
    [MUTANT_ADD_RESET] = "add-reset", [MUTANT_EDGE] = "edge",
    [MUTANT_TARGET] = "target",       [MUTANT_SYNC] = "sync",
    [MUTANT_URGENT] = "urgent",       [MUTANT_COMMITTED] = "committed"};

const char *mutants_kind(MutantKind kind) { return names[kind]; }

bool mutants_choose(uint32_t *kinds, const char *list, Report *report) {
  *kinds = list ? 0 : (1u << MUTANT_KINDS) - 1;
  for (size_t size; list && *list; list += size + (list[size] == ',')) {
    int kind = 0;
    size = strcspn(list, ",");
    while (kind < MUTANT_KINDS &&
           (strlen(names[kind]) != size || memcmp(names[kind], list, size)))
      kind++;
    if (kind == MUTANT_KINDS)
      return report_error(
          report, (Place){0},
          "there is no operator `%.*s`; use some of constant, strict, turn, drop-reset, "
          "add-reset, edge, target, sync, urgent, committed",
          (int)size, list);
    *kinds |= 1u << kind;
  }
  if (!*kinds)
    report_error(report, (Place){0}, "the list of operators is empty");
  return *kinds;
}

static void add(Mutants *m, MutantKind kind, const char *begin, const char *end, const char *by) {
  if (m->kinds >> kind & 1)
    vec_push(m->mem, &m->list,
             ((Mutant){.kind = kind,
                       .begin = (size_t)(begin - m->text),
                       .end = (size_t)(end - m->text),
                       .by = mem_copy_text(m->mem, by, strlen(by))}));
}

void mutants_release(Mutants *m) {
  for (uint32_t i = 0; i < m->list.size; i++) {
    union {
      const char *kept;
      void *freed;
    } by = {m->list.items[i].by};
    mem_free(m->mem, by.freed);
  }
  vec_release(m->mem, &m->list);
}

void mutants_write(const Mutants *m, const Mutant *mutant, Text *text) {
  text_add_bytes(text, m->text, mutant->begin);
  text_add(text, mutant->by);
  text_add_bytes(text, m->text + mutant->end, m->size - mutant->end);
}

// Words of a text. Comments and blanks are skipped. XML's entities are the characters that they
// stand for.
typedef struct Scan {
  const char *at, *end;     // what is left
  const char *begin, *stop; // the word
  char word[64];            // decoded and cut; empty at the end
} Scan;

static bool is_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

// One character at `at`, or 0; moves on.
static char decode(const char **at, const char *end) {
  static const struct {
    const char *entity;
    char c;
  } entities[] = {
      {"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}};
  if (*at >= end)
    return 0;
  for (size_t i = 0; **at == '&' && i < sizeof entities / sizeof *entities; i++) {
    const size_t size = strlen(entities[i].entity);
    if ((size_t)(end - *at) >= size && !memcmp(*at, entities[i].entity, size))
      return *at += size, entities[i].c;
  }
  return *(*at)++;
}

static void skip_blanks(Scan *s) {
  for (;;) {
    const size_t left = (size_t)(s->end - s->at);
    if (left && isspace((unsigned char)*s->at)) {
      s->at++;
    } else if (left > 1 && !memcmp(s->at, "//", 2)) {
      while (s->at < s->end && *s->at != '\n')
        s->at++;
    } else if (left > 1 && !memcmp(s->at, "/*", 2)) {
      s->at += 2;
      while (s->at + 1 < s->end && memcmp(s->at, "*/", 2))
        s->at++;
      s->at = s->at + 1 < s->end ? s->at + 2 : s->end;
    } else {
      return;
    }
  }
}

static bool scan(Scan *s) {
  static const char *const pairs[] = {"<=", ">=", "==", "!=", "&&", "||", "->", "<<", ">>",
                                      "<?", ">?", ":=", "+=", "-=", "*=", "/=", "++", "--"};
  skip_blanks(s);
  s->begin = s->at;
  size_t size = 0;
  if (s->at < s->end && is_name(*s->at)) {
    for (; s->at < s->end &&
           (is_name(*s->at) || (*s->at == '.' && isdigit((unsigned char)*s->begin)));
         s->at++)
      if (size < sizeof s->word - 1)
        s->word[size++] = *s->at;
  } else if ((s->word[0] = decode(&s->at, s->end))) {
    const char *after = s->at;
    const char second = decode(&after, s->end);
    size = 1;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
      if (pairs[i][0] == s->word[0] && pairs[i][1] == second) {
        s->word[size++] = second;
        s->at = after;
        break;
      }
  }
  s->word[size] = 0;
  s->stop = s->at;
  return size > 0;
}

static bool is(const Scan *s, const char *word) { return !strcmp(s->word, word); }

static bool is_one_of(const char *word, const char *const *list) {
  for (; *list; list++)
    if (!strcmp(word, *list))
      return true;
  return false;
}

static bool is_comparison(const char *word) {
  static const char *const list[] = {"<", "<=", ">", ">=", "==", "!=", NULL};
  return is_one_of(word, list);
}

// How a mutant writes a comparison: the text is XML's if the original has an entity, or if it is
// necessary.
static void add_comparison(Mutants *m, MutantKind kind, const Scan *s, const char *by,
                           bool is_xml) {
  char text[16];
  if (is_xml && (*by == '<' || *by == '>'))
    snprintf(text, sizeof text, "&%ct;%s", *by == '<' ? 'l' : 'g', by + 1);
  else
    snprintf(text, sizeof text, "%s", by);
  add(m, kind, s->begin, s->stop, text);
}

// Behind a comparison: an operand that is a name, `T`, `a[i]` or `p.t`, and nothing else.
static void add_operand(Mutants *m, Scan s) {
  static const char *const ends[] = {"", "&&", "||", ")", ",", ";", "and", "or", "imply", NULL};
  if (!scan(&s) || isdigit((unsigned char)s.word[0]) || !is_name(s.word[0]) || is(&s, "true") ||
      is(&s, "false"))
    return;
  const char *const begin = s.begin, *stop = s.stop;
  int depth = 0;
  while (scan(&s) && (depth || is(&s, "[") || is(&s, "."))) {
    depth += is(&s, "[") - is(&s, "]");
    if (is(&s, ".") && !scan(&s))
      break;
    stop = s.stop;
  }
  if (!is_one_of(s.word, ends))
    return;
  for (int i = 0; i < 2 && stop - begin < 100; i++) {
    char by[128];
    snprintf(by, sizeof by, "%.*s %c 1", (int)(stop - begin), begin, i ? '-' : '+');
    add(m, MUTANT_CONSTANT, begin, stop, by);
  }
}

// A guard or an invariant.
static void in_condition(Mutants *m, const char *begin, const char *end, bool is_xml) {
  static const char *const words[] = {"<", "<=", ">", ">=", "==", "!="};
  static const char *const turned[] = {">", ">=", "<", "<=", "!=", "=="};
  static const char *const strict[] = {"<=", "<", ">=", ">", NULL, NULL};
  Scan s = {.at = begin, .end = end};
  int depth = 0; // of brackets: what is in them are indices and ranges
  while (scan(&s)) {
    depth += is(&s, "[") - is(&s, "]");
    if (depth)
      continue;
    if (isdigit((unsigned char)s.word[0]) && strlen(s.word) < 10 && !strchr(s.word, '.')) {
      char by[32];
      const long value = atol(s.word);
      snprintf(by, sizeof by, "%ld", value + 1);
      add(m, MUTANT_CONSTANT, s.begin, s.stop, by);
      snprintf(by, sizeof by, "%ld", value - 1);
      if (value)
        add(m, MUTANT_CONSTANT, s.begin, s.stop, by);
    }
    if (!is_comparison(s.word))
      continue;
    for (int i = 0; i < 6; i++) {
      if (!is(&s, words[i]))
        continue;
      if (strict[i])
        add_comparison(m, MUTANT_STRICT, &s, strict[i], is_xml);
      add_comparison(m, MUTANT_TURN, &s, turned[i], is_xml);
    }
    add_operand(m, s);
  }
}

typedef struct Piece {
  const char *begin, *end;
} Piece;
typedef VEC(Piece) Pieces;

// A list of assignments, each of which is dropped in one mutant, with its separator.
static void in_updates(Mutants *m, const char *begin, const char *end) {
  Scan s = {.at = begin, .end = end};
  const char *first = NULL, *separator = NULL;
  int depth = 0;
  bool is_assignment = false;
  for (bool more = true; more;) {
    more = scan(&s);
    depth += is(&s, "(") + is(&s, "[") - is(&s, ")") - is(&s, "]");
    if (more && (depth || (!is(&s, ",") && !is(&s, ";")))) {
      if (!first)
        first = s.begin;
      is_assignment |= !depth && (is(&s, "=") || is(&s, ":="));
      continue;
    }
    const char *stop = more ? s.stop : end;
    if (is_assignment && separator && !more)
      add(m, MUTANT_DROP_RESET, separator, stop, "");
    else if (is_assignment)
      add(m, MUTANT_DROP_RESET, first, stop, "");
    separator = more ? s.begin : NULL;
    first = NULL;
    is_assignment = false;
  }
}

// `urgent chan` or `urgent broadcast chan`, at whose first word `s` stands.
static void drop_urgent(Mutants *m, const Scan *s) {
  Scan next = *s;
  if (scan(&next) && (is(&next, "chan") || is(&next, "broadcast")))
    add(m, MUTANT_URGENT, s->begin, next.begin, "");
}

static void in_declarations(Mutants *m, const char *begin, const char *end) {
  Scan s = {.at = begin, .end = end};
  while (scan(&s))
    if (is(&s, "urgent"))
      drop_urgent(m, &s);
}

// The clocks that are declared in a part of the text, without arrays.
static void find_clocks(Mutants *m, Pieces *clocks, const char *begin, const char *end) {
  Scan s = {.at = begin, .end = end};
  while (scan(&s)) {
    if (!is(&s, "clock"))
      continue;
    while (scan(&s) && !is(&s, ";") && !is(&s, ")")) {
      if (!is_name(s.word[0]) || isdigit((unsigned char)s.word[0]))
        continue;
      const Piece name = {s.begin, s.stop};
      Scan next = s;
      if (scan(&next) && (is(&next, ",") || is(&next, ";") || is(&next, ")") || is(&next, "=")))
        vec_push(m->mem, clocks, name);
    }
  }
}

// Whether the updates set the clock.
static bool sets(const char *begin, const char *end, const Piece *clock) {
  const size_t size = (size_t)(clock->end - clock->begin);
  Scan s = {.at = begin, .end = end};
  while (begin && scan(&s))
    if ((size_t)(s.stop - s.begin) == size && !memcmp(s.begin, clock->begin, size) && scan(&s) &&
        (is(&s, "=") || is(&s, ":=")))
      return true;
  return false;
}

// `updates` may be empty: then the text gets `before` and `after` around the reset.
static void add_resets(Mutants *m, const Pieces *clocks, Piece updates, const char *at,
                       const char *before, const char *after) {
  for (uint32_t i = 0; i < clocks->size; i++) {
    const Piece *clock = &clocks->items[i];
    char by[256];
    snprintf(by, sizeof by, "%s%.*s = 0%s", before, (int)(clock->end - clock->begin),
             clock->begin, after);
    if (clock->end - clock->begin < 128 && !sets(updates.begin, updates.end, clock))
      add(m, MUTANT_ADD_RESET, at, at, by);
  }
}

// The location behind the one of this name; NULL if there is no other.
static const Piece *next_location(const Pieces *locations, const char *begin, const char *end) {
  const size_t size = (size_t)(end - begin);
  for (uint32_t i = 0; i < locations->size; i++) {
    const Piece *location = &locations->items[i];
    if ((size_t)(location->end - location->begin) == size &&
        !memcmp(location->begin, begin, size) && locations->size > 1)
      return &locations->items[(i + 1) % locations->size];
  }
  return NULL;
}

static void add_target(Mutants *m, const Pieces *locations, const char *begin, const char *end) {
  const Piece *next = next_location(locations, begin, end);
  char by[256];
  if (!next || next->end - next->begin >= (ptrdiff_t)sizeof by)
    return;
  snprintf(by, sizeof by, "%.*s", (int)(next->end - next->begin), next->begin);
  add(m, MUTANT_TARGET, begin, end, by);
}

static bool is_blank(const char *begin, const char *end) {
  while (begin < end && isspace((unsigned char)*begin))
    begin++;
  return begin == end;
}

// ---- XML ----

static const char *find(const char *begin, const char *end, const char *what) {
  const size_t size = strlen(what);
  for (; begin && (size_t)(end - begin) >= size; begin++)
    if (!memcmp(begin, what, size))
      return begin;
  return NULL;
}

// The next element of this name from `*at` on, outside of comments: from `<` to behind its end.
// `inner` is what is between its tags. Elements of a name do not lie in each other.
static bool element(const char **at, const char *end, const char *name, Piece *whole,
                    Piece *inner) {
  char close[32];
  const size_t size = strlen(name);
  snprintf(close, sizeof close, "</%s", name);
  for (const char *p = *at; p && p < end; p++) {
    if (*p != '<')
      continue;
    if (end - p > 4 && !memcmp(p, "<!--", 4)) {
      p = find(p, end, "-->");
      if (!p)
        return false;
      continue;
    }
    if ((size_t)(end - p) < size + 2 || memcmp(p + 1, name, size) || is_name(p[size + 1]))
      continue;
    const char *tag = find(p, end, ">"), *last = tag;
    if (!tag)
      return false;
    *inner = (Piece){tag + 1, tag + 1};
    if (tag[-1] != '/') {
      const char *stop = find(tag, end, close);
      last = stop ? find(stop, end, ">") : NULL;
      if (!last)
        return false;
      inner->end = stop;
    }
    *whole = (Piece){p, last + 1};
    *at = last + 1;
    return true;
  }
  return false;
}

// The value of an attribute in the first tag of an element.
static bool attribute(const Piece *whole, const char *name, Piece *value) {
  const char *tag = find(whole->begin, whole->end, ">");
  char text[32];
  for (int quote = 0; tag && quote < 2; quote++) {
    snprintf(text, sizeof text, " %s=%c", name, quote ? '\'' : '"');
    const char *at = find(whole->begin, tag, text);
    const char *from = at ? at + strlen(text) : NULL;
    const char *stop = from ? memchr(from, quote ? '\'' : '"', (size_t)(tag - from)) : NULL;
    if (stop)
      return *value = (Piece){from, stop}, true;
  }
  return false;
}

static bool is_kind(const Piece *label, const char *kind) {
  Piece value;
  return attribute(label, "kind", &value) && (size_t)(value.end - value.begin) == strlen(kind) &&
         !memcmp(value.begin, kind, strlen(kind));
}

static void in_xml_location(Mutants *m, const Piece *body) {
  const char *at = body->begin;
  Piece whole, inner;
  while (element(&at, body->end, "label", &whole, &inner))
    if (is_kind(&whole, "invariant") && !find(inner.begin, inner.end, "<!"))
      in_condition(m, inner.begin, inner.end, true);
  at = body->begin;
  if (element(&at, body->end, "urgent", &whole, &inner))
    add(m, MUTANT_URGENT, whole.begin, whole.end, "");
  at = body->begin;
  if (element(&at, body->end, "committed", &whole, &inner))
    add(m, MUTANT_COMMITTED, whole.begin, whole.end, "");
}

static void in_xml_edge(Mutants *m, const Piece *edge, const Piece *body, const Pieces *locations,
                        const Pieces *clocks) {
  const char *at = body->begin, *insert = NULL;
  Piece whole, inner, ref, updates = {0};
  add(m, MUTANT_EDGE, edge->begin, edge->end, "");
  if (element(&at, body->end, "target", &whole, &inner)) {
    insert = whole.end;
    if (attribute(&whole, "ref", &ref))
      add_target(m, locations, ref.begin, ref.end);
  }
  at = body->begin;
  while (element(&at, body->end, "label", &whole, &inner)) {
    if (is_blank(inner.begin, inner.end) || find(inner.begin, inner.end, "<!"))
      continue;
    if (is_kind(&whole, "guard"))
      in_condition(m, inner.begin, inner.end, true);
    if (is_kind(&whole, "synchronisation"))
      add(m, MUTANT_SYNC, whole.begin, whole.end, "");
    if (is_kind(&whole, "assignment"))
      in_updates(m, inner.begin, inner.end), updates = inner;
  }
  if (updates.begin)
    add_resets(m, clocks, updates, updates.begin, "", ", ");
  else if (insert)
    add_resets(m, clocks, updates, insert, "<label kind=\"assignment\">", "</label>");
}

static void in_xml(Mutants *m) {
  const char *const end = m->text + m->size, *at = m->text, *inside;
  Piece template, body, whole, inner, id;
  Pieces clocks = {0}, locations = {0};
  const char *first = find(m->text, end, "<template");
  if (first)
    find_clocks(m, &clocks, m->text, first);
  while (element(&at, end, "declaration", &whole, &inner))
    in_declarations(m, inner.begin, inner.end);
  if (at = m->text, element(&at, end, "system", &whole, &inner))
    in_declarations(m, inner.begin, inner.end);
  at = m->text;
  const uint32_t global = clocks.size;
  while (element(&at, end, "template", &template, &body)) {
    clocks.size = global;
    locations.size = 0;
    inside = body.begin;
    if (element(&inside, body.end, "parameter", &whole, &inner))
      find_clocks(m, &clocks, inner.begin, inner.end);
    inside = body.begin;
    if (element(&inside, body.end, "declaration", &whole, &inner))
      find_clocks(m, &clocks, inner.begin, inner.end);
    for (inside = body.begin; element(&inside, body.end, "location", &whole, &inner);) {
      if (attribute(&whole, "id", &id))
        vec_push(m->mem, &locations, id);
      in_xml_location(m, &inner);
    }
    for (inside = body.begin; element(&inside, body.end, "transition", &whole, &inner);)
      in_xml_edge(m, &whole, &inner, &locations, &clocks);
  }
  vec_release(m->mem, &clocks);
  vec_release(m->mem, &locations);
}

// ---- .xta ----

// From behind an opening bracket to the closing one, at which `s` stands then.
static Piece block(Scan *s) {
  Piece inner = {s->stop, s->stop};
  for (int depth = 1; depth && scan(s);) {
    depth += is(s, "{") - is(s, "}");
    inner.end = s->begin;
  }
  return inner;
}

static void in_xta_states(Mutants *m, Scan *s, Pieces *locations) {
  while (scan(s) && !is(s, ";")) {
    if (is_name(s->word[0]))
      vec_push(m->mem, locations, ((Piece){s->begin, s->stop}));
    if (is(s, "{")) {
      const Piece body = block(s);
      in_condition(m, body.begin, body.end, false);
    }
  }
}

// `commit a, b;` from the keyword on.
static void in_xta_names(Mutants *m, Scan *s, MutantKind kind) {
  const char *keyword = s->begin, *comma = NULL;
  Pieces found = {0};
  while (scan(s) && !is(s, ";"))
    if (is_name(s->word[0]))
      vec_push(m->mem, &found, ((Piece){s->begin, s->stop}));
  for (uint32_t i = 0; i < found.size; i++) {
    if (found.size == 1)
      add(m, kind, keyword, s->stop, "");
    else if (i)
      add(m, kind, comma, found.items[i].end, "");
    else
      add(m, kind, found.items[i].begin, found.items[1].begin, "");
    comma = found.items[i].end;
  }
  vec_release(m->mem, &found);
}

// To the `;` of a part of an edge.
static Piece part(Scan *s) {
  Piece inner = {s->stop, s->stop};
  while (scan(s) && !is(s, ";"))
    inner.end = s->stop;
  return inner;
}

static void in_xta_edge(Mutants *m, Scan *s, const Pieces *clocks) {
  const char *open = s->begin;
  const Piece body = block(s);
  Piece updates = {0};
  Scan inner = {.at = body.begin, .end = body.end};
  add(m, MUTANT_EDGE, open, s->stop, "{ guard false; }");
  while (scan(&inner)) {
    const char *keyword = inner.begin;
    if (is(&inner, "guard")) {
      const Piece guard = part(&inner);
      in_condition(m, guard.begin, guard.end, false);
    } else if (is(&inner, "sync")) {
      part(&inner);
      add(m, MUTANT_SYNC, keyword, inner.stop, "");
    } else if (is(&inner, "assign")) {
      updates = part(&inner);
      Scan other = {.at = updates.begin, .end = updates.end};
      bool is_list = false;
      while (scan(&other))
        is_list |= is(&other, ",");
      if (is_list)
        in_updates(m, updates.begin, updates.end);
      else
        add(m, MUTANT_DROP_RESET, keyword, inner.stop, "");
    } else {
      part(&inner);
    }
  }
  if (updates.begin)
    add_resets(m, clocks, updates, updates.begin, " ", ",");
  else
    add_resets(m, clocks, updates, body.end, " assign ", "; ");
}

static void in_xta_process(Mutants *m, Scan *s, Pieces *clocks) {
  Pieces locations = {0};
  while (scan(s) && !is(s, "}")) {
    if (is(s, "state")) {
      in_xta_states(m, s, &locations);
    } else if (is(s, "commit")) {
      in_xta_names(m, s, MUTANT_COMMITTED);
    } else if (is(s, "urgent")) {
      Scan next = *s;
      if (scan(&next) && !is(&next, "chan") && !is(&next, "broadcast"))
        in_xta_names(m, s, MUTANT_URGENT);
      else
        drop_urgent(m, s);
    } else if (is(s, "{")) {
      block(s);
    } else if (is(s, "->")) {
      scan(s);
      add_target(m, &locations, s->begin, s->stop);
      Scan next = *s;
      if (scan(&next) && is(&next, "{")) {
        *s = next;
        in_xta_edge(m, s, clocks);
      }
    }
  }
  vec_release(m->mem, &locations);
}

static void in_xta(Mutants *m) {
  Scan s = {.at = m->text, .end = m->text + m->size};
  Pieces clocks = {0};
  const char *declared = m->text;
  uint32_t global = 0;
  while (scan(&s)) {
    if (is(&s, "urgent"))
      drop_urgent(m, &s);
    if (!is(&s, "process"))
      continue;
    clocks.size = global;
    find_clocks(m, &clocks, declared, s.begin); // global ones are declared between processes
    global = clocks.size;
    const char *begin = s.stop;
    while (scan(&s) && !is(&s, "{"))
      continue;
    Scan body = s;
    block(&s);
    body.end = s.at;
    find_clocks(m, &clocks, begin, body.end);
    in_xta_process(m, &body, &clocks);
    declared = s.at;
  }
  vec_release(m->mem, &clocks);
}

// ---- .tck ----

typedef struct Attr {
  Piece key, value; // the value is behind the colon
} Attr;

static const char *trim(const char *begin, const char *end) {
  while (begin < end && isspace((unsigned char)*begin))
    begin++;
  return begin;
}

// `{key: value : key: value}` from behind the bracket on.
static uint32_t attributes(const char *begin, const char *end, Attr *found, uint32_t room) {
  uint32_t count = 0;
  while (begin < end && count < room && trim(begin, end) < end) {
    const char *colon = memchr(begin, ':', (size_t)(end - begin));
    if (!colon)
      break;
    const char *stop = memchr(colon + 1, ':', (size_t)(end - colon - 1));
    found[count].key = (Piece){trim(begin, colon), colon};
    while (found[count].key.end > found[count].key.begin &&
           isspace((unsigned char)found[count].key.end[-1]))
      found[count].key.end--;
    found[count++].value = (Piece){colon + 1, stop ? stop : end};
    begin = stop ? stop + 1 : end;
  }
  return count;
}

static bool has_key(const Attr *attr, const char *key) {
  return (size_t)(attr->key.end - attr->key.begin) == strlen(key) &&
         !memcmp(attr->key.begin, key, strlen(key));
}

// An attribute with one of the colons around it.
static void drop_attribute(Mutants *m, MutantKind kind, const Attr *attr, const char *end) {
  const char *stop = attr->value.end, *begin = attr->key.begin;
  if (stop < end) {
    stop++;
  } else {
    const char *back = begin;
    while (isspace((unsigned char)back[-1]))
      back--;
    if (back[-1] == ':')
      begin = back - 1;
  }
  add(m, kind, begin, stop, "");
}

enum { FIELDS = 6, ATTRIBUTES = 16 };

// A line `edge:P:a:b:e{...}`: its fields, and where the attributes are.
typedef struct Line {
  Piece fields[FIELDS];
  uint32_t count;
  Piece braces; // between them; NULL: there are none
  const char *begin, *end;
} Line;

static void split(Line *line) {
  const char *comment = memchr(line->begin, '#', (size_t)(line->end - line->begin));
  const char *const last_char = comment ? comment : line->end;
  const char *open = memchr(line->begin, '{', (size_t)(last_char - line->begin));
  const char *close = open ? memchr(open, '}', (size_t)(last_char - open)) : NULL;
  const char *stop = open ? open : last_char, *at = line->begin;
  while (!open && stop > at && isspace((unsigned char)stop[-1]))
    stop--;
  line->count = 0;
  line->braces = close ? (Piece){open + 1, close} : (Piece){0};
  while (line->count < FIELDS) {
    const char *colon = memchr(at, ':', (size_t)(stop - at));
    const char *last = colon ? colon : stop;
    line->fields[line->count++] = (Piece){at, last};
    if (!colon)
      break;
    at = colon + 1;
  }
}

// The line behind this one, or the first one if it has no end. False after the last.
static bool next_line(const Mutants *m, Line *line) {
  const char *const end = m->text + m->size;
  line->begin = line->end ? line->end + 1 : m->text;
  if (line->begin >= end)
    return false;
  const char *stop = memchr(line->begin, '\n', (size_t)(end - line->begin));
  line->end = stop ? stop : end;
  split(line);
  return true;
}

static bool is_line(const Line *line, const char *word) {
  return (size_t)(line->fields[0].end - line->fields[0].begin) == strlen(word) &&
         !memcmp(line->fields[0].begin, word, strlen(word));
}

static void in_tck_edge(Mutants *m, const Line *line, const Pieces *locations,
                        const Pieces *clocks) {
  Attr attrs[ATTRIBUTES];
  Piece updates = {0};
  const Piece braces = line->braces;
  const uint32_t count =
      braces.begin ? attributes(braces.begin, braces.end, attrs, ATTRIBUTES) : 0;
  add(m, MUTANT_EDGE, line->begin, line->end, "");
  if (line->count > 4)
    add_target(m, locations, line->fields[3].begin, line->fields[3].end);
  for (uint32_t i = 0; i < count; i++) {
    const Piece value = attrs[i].value;
    if (has_key(&attrs[i], "provided"))
      in_condition(m, value.begin, value.end, false);
    if (!has_key(&attrs[i], "do") || is_blank(value.begin, value.end))
      continue;
    updates = value;
    if (memchr(value.begin, ';', (size_t)(value.end - value.begin)))
      in_updates(m, value.begin, value.end);
    else
      drop_attribute(m, MUTANT_DROP_RESET, &attrs[i], braces.end);
  }
  if (updates.begin)
    add_resets(m, clocks, updates, updates.begin, " ", ";");
  else if (braces.begin)
    add_resets(m, clocks, updates, braces.begin, "do: ", count ? " : " : "");
  else if (line->count > 4)
    add_resets(m, clocks, updates, line->fields[4].end, "{do: ", "}");
}

static void in_tck_location(Mutants *m, const Line *line) {
  Attr attrs[ATTRIBUTES];
  const Piece braces = line->braces;
  const uint32_t count =
      braces.begin ? attributes(braces.begin, braces.end, attrs, ATTRIBUTES) : 0;
  for (uint32_t i = 0; i < count; i++) {
    if (has_key(&attrs[i], "invariant"))
      in_condition(m, attrs[i].value.begin, attrs[i].value.end, false);
    if (has_key(&attrs[i], "urgent"))
      drop_attribute(m, MUTANT_URGENT, &attrs[i], braces.end);
    if (has_key(&attrs[i], "committed"))
      drop_attribute(m, MUTANT_COMMITTED, &attrs[i], braces.end);
  }
}

// Locations of the process of an edge, in the order of the file.
static void find_locations(Mutants *m, Pieces *locations, const Piece *process) {
  const size_t size = (size_t)(process->end - process->begin);
  vec_clear(locations);
  for (Line line = {0}; next_line(m, &line);)
    if (is_line(&line, "location") && line.count > 2 &&
        (size_t)(line.fields[1].end - line.fields[1].begin) == size &&
        !memcmp(line.fields[1].begin, process->begin, size))
      vec_push(m->mem, locations, line.fields[2]);
}

static void in_tck(Mutants *m) {
  Pieces clocks = {0}, locations = {0};
  Piece process = {0};
  for (Line line = {0}; next_line(m, &line);) {
    if (is_line(&line, "clock") && line.count > 2 &&
        line.fields[1].end - line.fields[1].begin == 1 && *line.fields[1].begin == '1')
      vec_push(m->mem, &clocks, line.fields[2]);
    else if (is_line(&line, "sync"))
      add(m, MUTANT_SYNC, line.begin, line.end, "");
    else if (is_line(&line, "location"))
      in_tck_location(m, &line);
    else if (is_line(&line, "edge") && line.count > 4) {
      const Piece p = line.fields[1];
      if (!process.begin || p.end - p.begin != process.end - process.begin ||
          memcmp(p.begin, process.begin, (size_t)(p.end - p.begin)))
        find_locations(m, &locations, &p);
      process = p;
      in_tck_edge(m, &line, &locations, &clocks);
    }
  }
  vec_release(m->mem, &clocks);
  vec_release(m->mem, &locations);
}

static int by_place(const void *a, const void *b) {
  const Mutant *x = a, *y = b;
  if (x->begin != y->begin)
    return x->begin < y->begin ? -1 : 1;
  if (x->kind != y->kind)
    return x->kind < y->kind ? -1 : 1;
  return strcmp(x->by, y->by);
}

void mutants_find(Mutants *m, bool is_uppaal) {
  const char *first = trim(m->text, m->text + m->size);
  if (!is_uppaal)
    in_tck(m);
  else if (first < m->text + m->size && *first == '<')
    in_xml(m);
  else
    in_xta(m);
  if (m->list.size)
    qsort(m->list.items, m->list.size, sizeof *m->list.items, by_place);
}

void mutants_place(const Mutants *m, const Mutant *mutant, uint32_t *line, uint32_t *column) {
  *line = *column = 1;
  for (size_t i = 0; i < mutant->begin; i++) {
    *column = m->text[i] == '\n' ? 1 : *column + 1;
    *line += m->text[i] == '\n';
  }
}
