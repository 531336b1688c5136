#include "language/uppaal/xta_text.h"

#include "language/uppaal/layout_block.h"
#include "language/uppaal/parser.h"
#include "language/uppaal/pretty.h"
#include "language/uppaal/query_file.h"

#include <string.h>

typedef struct Writer {
  Text out;
  Arena *arena;
  Report *report;
} Writer;

// A word of .xta cannot be a name there; in XML it can.
static void check_name(Writer *w, const char *name, Place place) {
  const Source source = {.name = "", .text = name, .size = strlen(name)};
  Parser parser = {.arena = w->arena, .is_text = true};
  parser_begin(&parser, &source, 0, (uint32_t)source.size, TOKEN_MODEL);
  if (!parser_at_name(&parser) || parser_ahead(&parser, 1)->kind != UT_END)
    report_error(w->report, place, "`%s` is not a name in .xta: give it another name", name);
  parser_end(&parser);
}

// The text, with a line break behind it if it may end in a comment.
static void add_label(Writer *w, LabelNode label) {
  label = pretty_trimmed(label);
  text_add_bytes(&w->out, label.text, label.size);
  for (uint32_t i = 0; i + 1 < label.size; i++)
    if (label.text[i] == '/' && label.text[i + 1] == '/') {
      text_add_char(&w->out, '\n');
      return;
    }
}

static void add_comment(Writer *w, const char *text, size_t size) {
  if (!size)
    return;
  text_add(&w->out, w->out.size && w->out.chars[w->out.size - 1] == '\n' ? "// " : "\n// ");
  for (size_t i = 0; i < size; i++) {
    if (text[i] != '\r')
      text_add_char(&w->out, text[i]);
    if (text[i] == '\n')
      text_add(&w->out, "// ");
  }
  text_add_char(&w->out, '\n');
}

static const RemarkNode *find_remark(const RemarkNode *remark, const char *kind) {
  while (remark && (strcmp(remark->kind, kind) || !pretty_trimmed(remark->label).size))
    remark = remark->next;
  return remark;
}

static void add_comments(Writer *w, const RemarkNode *remark) {
  for (; (remark = find_remark(remark, "comments")); remark = remark->next) {
    const LabelNode label = pretty_trimmed(remark->label);
    add_comment(w, label.text, label.size);
  }
}

static void add_location(Writer *w, const LocationNode *l) {
  const RemarkNode *rate = find_remark(l->remarks, "exponentialrate");
  check_name(w, l->name, l->place);
  add_comments(w, l->remarks);
  text_add(&w->out, l->name);
  if (pretty_trimmed(l->invariant_label).size || rate) {
    text_add(&w->out, " { ");
    add_label(w, l->invariant_label);
    if (rate) {
      text_add(&w->out, "; ");
      add_label(w, rate->label);
    }
    text_add(&w->out, " }");
  }
}

// `word` and the locations for which `is` holds.
static void add_locations(Writer *w, const TemplateNode *t, const char *word,
                          bool (*is)(const LocationNode *),
                          void (*add)(Writer *, const LocationNode *)) {
  bool is_first = true;
  for (const LocationNode *l = t->locations; l; l = l->next) {
    if (!is(l))
      continue;
    text_addf(&w->out, "%s ", is_first ? word : ",\n");
    add(w, l);
    is_first = false;
  }
  if (!is_first)
    text_add(&w->out, ";\n");
}

static void add_name(Writer *w, const LocationNode *l) { text_add(&w->out, l->name); }
static bool is_plain(const LocationNode *l) { return !l->is_branch; }
static bool is_branch(const LocationNode *l) { return l->is_branch; }
static bool is_urgent(const LocationNode *l) { return l->is_urgent; }
static bool is_committed(const LocationNode *l) { return l->is_committed; }

static void add_edge(Writer *w, const TemplateNode *t, const EdgeNode *e) {
  static const char *const words[EDGE_WEIGHT] = {"select", "guard", "sync", "assign"};
  const RemarkNode *weight = find_remark(e->remarks, "probability");
  add_comments(w, e->remarks);
  text_addf(&w->out, "%s %s %s {", layout_name_of(t, e->source),
            e->is_uncontrollable ? "-u->" : "->", layout_name_of(t, e->target));
  for (int part = 0; part < EDGE_WEIGHT; part++)
    if (pretty_trimmed(e->labels[part]).size) {
      text_addf(&w->out, " %s ", words[part]);
      add_label(w, e->labels[part]);
      text_add_char(&w->out, ';');
    }
  if (weight) {
    text_add(&w->out, " probability ");
    add_label(w, weight->label);
    text_add_char(&w->out, ';');
  }
  text_add(&w->out, " }");
}

static void add_template(Writer *w, const TemplateNode *t) {
  check_name(w, t->name, t->place);
  text_addf(&w->out, "\nprocess %s(", t->name);
  add_label(w, t->params_label);
  text_add(&w->out, ") {\n");
  if (pretty_trimmed(t->decls_label).size) {
    add_label(w, t->decls_label);
    text_add_char(&w->out, '\n');
  }
  add_locations(w, t, "state", is_plain, add_location);
  add_locations(w, t, "branchpoint", is_branch, add_name);
  add_locations(w, t, "commit", is_committed, add_name);
  add_locations(w, t, "urgent", is_urgent, add_name);
  if (t->init)
    text_addf(&w->out, "init %s;\n", layout_name_of(t, t->init));
  for (const EdgeNode *e = t->edges; e; e = e->next) {
    text_add(&w->out, e == t->edges ? "trans\n" : ",\n");
    add_edge(w, t, e);
  }
  text_add(&w->out, t->edges ? ";\n}\n" : "}\n");
}

static void add_query(Writer *w, const QueryNode *q) {
  Text formula = {.mem = w->out.mem}, bare = {.mem = w->out.mem};
  text_add_bytes(&formula, q->source->text + q->begin, q->end - q->begin);
  query_file_bare(&bare, text_chars(&formula));
  text_add(&w->out, "\nquery {\n");
  if (q->comment)
    add_comment(w, q->comment, strlen(q->comment));
  if (q->expect && (!q->comment || !strstr(q->comment, "EXPECT:")))
    text_addf(&w->out, "// EXPECT:%s\n", q->expect);
  text_addf(&w->out, "%s\n}\n", text_chars(bare.size ? &bare : &formula));
  text_release(&formula);
  text_release(&bare);
}

bool xta_text_write(Text *out, Arena *arena, const Document *document, const QueryNode *queries,
                    Report *report) {
  Writer w = {.out = {.mem = out->mem}, .arena = arena, .report = report};
  add_label(&w, document->decls_label);
  text_add_char(&w.out, '\n');
  for (const TemplateNode *t = document->templates; t; t = t->next)
    add_template(&w, t);
  text_add_char(&w.out, '\n');
  add_label(&w, document->system_label);
  text_add_char(&w.out, '\n');
  for (const QueryNode *q = queries; q; q = q->next)
    add_query(&w, q);
  layout_block_write(&w.out, document);
  const Source source = {.name = "", .text = text_chars(&w.out), .size = w.out.size};
  const PrettyText in = {.source = &source, .end = (uint32_t)source.size};
  pretty_print(out, out->mem, &in);
  text_add_char(out, '\n');
  text_release(&w.out);
  return !report_failed(report);
}
