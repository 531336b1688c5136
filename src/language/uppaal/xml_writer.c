#include "language/uppaal/xml_writer.h"

#include "language/uppaal/layout_block.h"
#include "language/uppaal/placing.h"
#include "language/uppaal/pretty.h"
#include "language/uppaal/query_file.h"

#include <string.h>

typedef struct Writer {
  Text *out;
  Arena *arena;
  bool has_ids;     // those of the file are kept
  uint32_t id_base; // of the present template: locations before it
} Writer;

static void add_point(Writer *w, PointNode at) {
  if (at.is_given)
    text_addf(w->out, " x=\"%d\" y=\"%d\"", (int)at.x, (int)at.y);
}

static void add_colour(Writer *w, const char *colour) {
  if (!colour)
    return;
  text_add(w->out, " color=\"");
  text_add_xml(w->out, colour);
  text_add_char(w->out, '"');
}

// The label without blanks around it, laid out if it is a text of declarations.
static void add_text(Writer *w, const char *indent, const char *element, LabelNode label,
                     bool is_declarations) {
  label = pretty_trimmed(label);
  text_addf(w->out, "%s<%s>", indent, element);
  if (is_declarations) {
    const Source source = {
        .name = "", .text = arena_text(w->arena, label.text, label.size), .size = label.size};
    const PrettyText in = {.source = &source, .end = (uint32_t)source.size};
    Text laid_out = {.mem = w->out->mem};
    pretty_print(&laid_out, w->out->mem, &in);
    text_add_xml(w->out, text_chars(&laid_out));
    text_add(w->out, laid_out.size ? "\n" : "");
    text_release(&laid_out);
  } else {
    text_add_xml_bytes(w->out, label.text, label.size);
  }
  text_addf(w->out, "</%s>\n", element);
}

static void add_label(Writer *w, const char *kind, const LabelNode *label) {
  if (!label->size)
    return;
  text_addf(w->out, "\t\t\t<label kind=\"%s\"", kind);
  add_point(w, label->at);
  text_add_char(w->out, '>');
  text_add_xml_bytes(w->out, label->text, label->size);
  text_add(w->out, "</label>\n");
}

// Comments come last.
static void add_remarks(Writer *w, const RemarkNode *remarks) {
  for (int is_comment = 0; is_comment < 2; is_comment++)
    for (const RemarkNode *r = remarks; r; r = r->next)
      if ((strcmp(r->kind, "comments") == 0) == is_comment)
        add_label(w, r->kind, &r->label);
}

static const char *id_of(Writer *w, const TemplateNode *t, const char *id) {
  uint32_t k = 0;
  const LocationNode *l = t->locations;
  for (; l && l->id != id; l = l->next)
    k++;
  if (l && w->has_ids)
    return l->file_id ? l->file_id : l->id;
  Text made = {.mem = w->out->mem};
  text_addf(&made, "id%u", (unsigned)(w->id_base + k));
  return arena_keep(w->arena, &made);
}

static void add_reference(Writer *w, const char *indent, const char *element,
                          const TemplateNode *t, const char *id) {
  text_addf(w->out, "%s<%s ref=\"", indent, element);
  id = id_of(w, t, id);
  text_add_xml(w->out, id);
  text_add(w->out, "\"/>\n");
}

static void add_location(Writer *w, const TemplateNode *t, const LocationNode *l) {
  const char *id = id_of(w, t, l->id);
  text_addf(w->out, "\t\t<%s id=\"", l->is_branch ? "branchpoint" : "location");
  text_add_xml(w->out, id);
  text_add_char(w->out, '"');
  add_point(w, l->at);
  add_colour(w, l->colour);
  text_add(w->out, l->is_branch ? "/>\n" : ">\n");
  if (l->is_branch)
    return;
  if (l->name_label.size) {
    text_add(w->out, "\t\t\t<name");
    add_point(w, l->name_label.at);
    text_add_char(w->out, '>');
    text_add_xml(w->out, l->name);
    text_add(w->out, "</name>\n");
  }
  add_label(w, "invariant", &l->invariant_label);
  add_remarks(w, l->remarks);
  if (l->is_urgent)
    text_add(w->out, "\t\t\t<urgent/>\n");
  if (l->is_committed)
    text_add(w->out, "\t\t\t<committed/>\n");
  text_add(w->out, "\t\t</location>\n");
}

static void add_edge(Writer *w, const TemplateNode *t, const EdgeNode *e) {
  text_add(w->out, "\t\t<transition");
  if (e->is_uncontrollable)
    text_add(w->out, " controllable=\"false\"");
  add_colour(w, e->colour);
  text_add(w->out, ">\n");
  add_reference(w, "\t\t\t", "source", t, e->source);
  add_reference(w, "\t\t\t", "target", t, e->target);
  for (int part = 0; part < EDGE_WEIGHT; part++)
    add_label(w, layout_edge_kinds[part], &e->labels[part]);
  add_remarks(w, e->remarks);
  for (const NailNode *n = e->nails; n; n = n->next) {
    text_add(w->out, "\t\t\t<nail");
    add_point(w, n->at);
    text_add(w->out, "/>\n");
  }
  text_add(w->out, "\t\t</transition>\n");
}

// Ids of the file are kept if all locations have one, and no two of a template the same: names of
// locations without a name are made of them.
static bool has_ids(const Document *document) {
  for (const TemplateNode *t = document->templates; t; t = t->next)
    for (const LocationNode *l = t->locations; l; l = l->next) {
      const char *id = document->is_xml ? l->id : l->file_id;
      if (!id || !*id)
        return false;
      for (const LocationNode *k = t->locations; k != l; k = k->next)
        if (!strcmp(document->is_xml ? k->id : k->file_id, id))
          return false;
    }
  return true;
}

static void add_template(Writer *w, const TemplateNode *t) {
  text_add(w->out, "\t<template>\n\t\t<name");
  add_point(w, t->name_at);
  text_add_char(w->out, '>');
  text_add_xml(w->out, t->name);
  text_add(w->out, "</name>\n");
  if (t->params)
    add_text(w, "\t\t", "parameter", t->params_label, false);
  add_text(w, "\t\t", "declaration", t->decls_label, true);
  for (int is_branch = 0; is_branch < 2; is_branch++)
    for (const LocationNode *l = t->locations; l; l = l->next)
      if (l->is_branch == is_branch)
        add_location(w, t, l);
  if (t->init)
    add_reference(w, "\t\t", "init", t, t->init);
  for (const EdgeNode *e = t->edges; e; e = e->next)
    add_edge(w, t, e);
  text_add(w->out, "\t</template>\n");
  for (const LocationNode *l = t->locations; l; l = l->next)
    w->id_base++;
}

static const char *outcome_of(const char *expect) {
  return !strcmp(expect, "T")    ? "success"
         : !strcmp(expect, "F")  ? "failure"
         : !strcmp(expect, "MT") ? "maybe_true"
         : !strcmp(expect, "MF") ? "maybe_false"
         : !strcmp(expect, "E")  ? "error"
                                 : NULL;
}

// The comment without the lines that only say what is expected.
static void add_comment(Writer *w, const char *comment, bool has_expectation) {
  bool is_first = true;
  for (const char *line = comment, *end; line; line = *end ? end + 1 : NULL) {
    end = line + strcspn(line, "\n");
    if (has_expectation && !strncmp(line, "EXPECT:", 7) &&
        !memchr(line, ' ', (size_t)(end - line)))
      continue;
    text_add(w->out, is_first ? "" : "\n");
    text_add_xml_bytes(w->out, line, (size_t)(end - line));
    is_first = false;
  }
}

static void add_query(Writer *w, const QueryNode *q) {
  const char *outcome = q->expect ? outcome_of(q->expect) : NULL;
  Text formula = {.mem = w->out->mem}, bare = {.mem = w->out->mem};
  text_add_bytes(&formula, q->source->text + q->begin, q->end - q->begin);
  query_file_bare(&bare, text_chars(&formula));
  text_add(w->out, "\t\t<query>\n\t\t\t<formula>");
  if (bare.size) {
    text_add_xml(w->out, text_chars(&bare));
  } else if (q->end > q->begin) { // a comment stands where a formula should: a heading
    text_add_xml(w->out, text_chars(&formula));
  } else if (q->comment) {
    text_add(w->out, "// ");
    add_comment(w, q->comment, outcome);
  }
  text_add(w->out, "</formula>\n\t\t\t<comment>");
  if (q->comment && bare.size)
    add_comment(w, q->comment, outcome);
  text_add(w->out, "</comment>\n");
  if (outcome)
    text_addf(w->out, "\t\t\t<expect outcome=\"%s\" type=\"symbolic\"/>\n", outcome);
  text_add(w->out, "\t\t</query>\n");
  text_release(&formula);
  text_release(&bare);
}

void xml_write(Text *out, Arena *arena, const Document *document, const QueryNode *queries) {
  Writer w = {.out = out, .arena = arena, .has_ids = has_ids(document)};
  for (TemplateNode *t = document->templates; t; t = t->next)
    placing_place(arena, t);
  text_add(out, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
                "<!DOCTYPE nta PUBLIC '-//Uppaal Team//DTD Flat System 1.6//EN' "
                "'http://www.it.uu.se/research/group/darts/uppaal/flat-1_6.dtd'>\n"
                "<nta>\n");
  add_text(&w, "\t", "declaration", document->decls_label, true);
  for (const TemplateNode *t = document->templates; t; t = t->next)
    add_template(&w, t);
  add_text(&w, "\t", "system", document->system_label, true);
  text_add(out, "\t<queries>\n");
  for (const QueryNode *q = queries; q; q = q->next)
    add_query(&w, q);
  text_add(out, "\t</queries>\n</nta>\n");
}
