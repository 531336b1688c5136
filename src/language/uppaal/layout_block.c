#include "language/uppaal/layout_block.h"

#include <stdlib.h>
#include <string.h>

const char *const layout_edge_kinds[EDGE_PARTS] = {"select", "guard", "synchronisation",
                                                   "assignment", "probability"};

static const char mark[] = "/* tarn layout";

size_t layout_block_find(const Source *source) {
  const char *found = NULL;
  for (const char *at = source->text; (at = strstr(at, mark)); at++)
    found = at;
  return found ? (size_t)(found - source->text) : source->size;
}

// Reading.

typedef struct Words {
  Arena *arena;
  const char *at, *end;
} Words;

// The next word of the line, in the arena; NULL at its end. Texts are in quotes.
static const char *next_word(Words *w) {
  while (w->at < w->end && (*w->at == ' ' || *w->at == '\t' || *w->at == '\r'))
    w->at++;
  const char *begin = w->at;
  if (begin == w->end)
    return NULL;
  if (*begin != '"') {
    while (w->at < w->end && !strchr(" \t\r", *w->at))
      w->at++;
    return arena_text(w->arena, begin, (size_t)(w->at - begin));
  }
  char *text = ARENA_ARRAY(w->arena, char, (size_t)(w->end - begin) + 1);
  size_t size = 0;
  for (w->at++; w->at < w->end && *w->at != '"'; w->at++) {
    if (*w->at == '\\' && w->at + 1 < w->end)
      text[size++] = *++w->at == 'n' ? '\n' : *w->at;
    else
      text[size++] = *w->at;
  }
  w->at += w->at < w->end;
  return text;
}

static PointNode next_point(Words *w) {
  enum { MOST = 1000000 };
  const char *x = next_word(w), *y = next_word(w);
  const long a = x ? strtol(x, NULL, 10) : 0, b = y ? strtol(y, NULL, 10) : 0;
  const bool is_near = y && a >= -MOST && a <= MOST && b >= -MOST && b <= MOST;
  return (PointNode){.x = is_near ? (int32_t)a : 0, .y = is_near ? (int32_t)b : 0, is_near};
}

// `label KIND "text"`, or the place of a remark that is there: `KIND X Y`.
static bool read_remark(Words *w, RemarkNode **list, const char *word) {
  if (!strcmp(word, "label")) {
    RemarkNode *remark = ARENA_NEW(w->arena, RemarkNode);
    remark->kind = next_word(w);
    const char *text = next_word(w);
    remark->label.text = text ? text : "";
    remark->label.size = (uint32_t)strlen(remark->label.text);
    while (*list)
      list = &(*list)->next;
    if (remark->kind)
      *list = remark;
    return true;
  }
  for (RemarkNode *r = *list; r; r = r->next)
    if (!strcmp(r->kind, word) && !r->label.at.is_given) {
      r->label.at = next_point(w);
      return true;
    }
  return false;
}

static void read_location(Words *w, TemplateNode *template) {
  const char *name = next_word(w);
  LocationNode *l = name && template ? template->locations : NULL;
  while (l && (!l->name || strcmp(l->name, name)))
    l = l->next;
  for (const char *word; l && (word = next_word(w));) {
    if (!strcmp(word, "id"))
      l->file_id = next_word(w);
    else if (!strcmp(word, "at"))
      l->at = next_point(w);
    else if (!strcmp(word, "name"))
      l->name_label.at = next_point(w);
    else if (!strcmp(word, "unnamed"))
      l->name_label.size = 0;
    else if (!strcmp(word, "invariant"))
      l->invariant_label.at = next_point(w);
    else if (!strcmp(word, "colour"))
      l->colour = next_word(w);
    else
      read_remark(w, &l->remarks, word);
  }
}

static void read_edge_word(Words *w, EdgeNode *edge, const char *word, NailNode ***nails) {
  for (int part = 0; part < EDGE_WEIGHT; part++)
    if (!strcmp(word, layout_edge_kinds[part])) {
      edge->labels[part].at = next_point(w);
      return;
    }
  if (!strcmp(word, "nail")) {
    **nails = ARENA_NEW(w->arena, NailNode);
    (**nails)->at = next_point(w);
    *nails = &(**nails)->next;
  } else if (!strcmp(word, "colour")) {
    edge->colour = next_word(w);
  } else {
    read_remark(w, &edge->remarks, word);
  }
}

static void read_edge(Words *w, TemplateNode *template) {
  const char *source = next_word(w), *target = next_word(w);
  EdgeNode *edge = target && template ? template->edges : NULL;
  while (edge && (edge->is_laid_out || !edge->source || !edge->target ||
                  strcmp(edge->source, source) || strcmp(edge->target, target)))
    edge = edge->next;
  if (!edge)
    return;
  NailNode **nails = &edge->nails;
  edge->is_laid_out = true;
  for (const char *word; (word = next_word(w));)
    read_edge_word(w, edge, word, &nails);
}

static TemplateNode *read_template(Words *w, Document *document) {
  const char *name = next_word(w), *word = next_word(w);
  TemplateNode *t = name ? document->templates : NULL;
  while (t && (!t->name || strcmp(t->name, name)))
    t = t->next;
  if (t && word && !strcmp(word, "at"))
    t->name_at = next_point(w);
  return t;
}

void layout_block_read(Arena *arena, const Source *source, Document *document) {
  const size_t begin = layout_block_find(source);
  const char *at = source->text + begin, *end = strstr(at, "*/");
  TemplateNode *template = NULL;
  for (at = strchr(at, '\n'); at && end && at < end;) {
    const char *newline = memchr(at + 1, '\n', (size_t)(end - at - 1));
    Words words = {arena, at + 1, newline ? newline : end};
    const char *word = next_word(&words);
    if (word && !strcmp(word, "template"))
      template = read_template(&words, document);
    else if (word && !strcmp(word, "location"))
      read_location(&words, template);
    else if (word && !strcmp(word, "edge"))
      read_edge(&words, template);
    at = newline;
  }
}

// Writing.

static void add_point(Text *text, const char *word, PointNode at) {
  if (at.is_given)
    text_addf(text, " %s %d %d", word, (int)at.x, (int)at.y);
}

static void add_quoted(Text *text, const LabelNode *label) {
  text_add(text, " \"");
  for (uint32_t i = 0; i < label->size; i++) {
    const char c = label->text[i];
    if (c == '"' || c == '\\' || c == '/' || c == '\n')
      text_add_char(text, '\\');
    text_add_char(text, c == '\n' ? 'n' : c);
  }
  text_add_char(text, '"');
}

// Remarks that .xta has are written there; of the others the block has the text.
static void add_remarks(Text *text, const RemarkNode *remark) {
  for (; remark; remark = remark->next) {
    if (!strncmp(remark->kind, "testcode", strlen("testcode"))) {
      text_addf(text, " label %s", remark->kind);
      add_quoted(text, &remark->label);
    }
    add_point(text, remark->kind, remark->label.at);
  }
}

static void add_location(Text *text, const LocationNode *l) {
  text_addf(text, "location %s id %s", l->name, l->file_id ? l->file_id : l->id);
  add_point(text, "at", l->at);
  if (!l->name_label.size && !l->is_branch)
    text_add(text, " unnamed");
  add_point(text, "name", l->name_label.at);
  add_point(text, "invariant", l->invariant_label.at);
  if (l->colour && !strchr(l->colour, ' '))
    text_addf(text, " colour %s", l->colour);
  add_remarks(text, l->remarks);
  text_add_char(text, '\n');
}

const char *layout_name_of(const TemplateNode *template, const char *id) {
  for (const LocationNode *l = template->locations; l; l = l->next)
    if (l->id == id)
      return l->name;
  return id ? id : "";
}

static void add_edge(Text *text, const TemplateNode *template, const EdgeNode *e) {
  text_addf(text, "edge %s %s", layout_name_of(template, e->source),
            layout_name_of(template, e->target));
  for (int part = 0; part < EDGE_WEIGHT; part++)
    if (e->labels[part].size)
      add_point(text, layout_edge_kinds[part], e->labels[part].at);
  if (e->colour && !strchr(e->colour, ' '))
    text_addf(text, " colour %s", e->colour);
  add_remarks(text, e->remarks);
  for (const NailNode *n = e->nails; n; n = n->next)
    add_point(text, "nail", n->at);
  text_add_char(text, '\n');
}

void layout_block_write(Text *text, const Document *document) {
  bool is_drawn = document->is_xml;
  for (const TemplateNode *t = document->templates; t; t = t->next)
    for (const LocationNode *l = t->locations; l; l = l->next)
      is_drawn |= l->at.is_given;
  if (!is_drawn)
    return;
  text_addf(text, "\n%s\n", mark);
  for (const TemplateNode *t = document->templates; t; t = t->next) {
    text_addf(text, "template %s", t->name);
    add_point(text, "at", t->name_at);
    text_add_char(text, '\n');
    for (const LocationNode *l = t->locations; l; l = l->next)
      add_location(text, l);
    for (const EdgeNode *e = t->edges; e; e = e->next)
      add_edge(text, t, e);
  }
  text_add(text, "*/\n");
}
