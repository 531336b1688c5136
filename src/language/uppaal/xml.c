#include "language/uppaal/xml.h"

#include "language/uppaal/damage.h"
#include "language/uppaal/libxml.h"
#include "language/uppaal/query_file.h"
#include "language/uppaal/xml_texts.h"

#include <stdlib.h>
#include <string.h>

typedef struct Reader {
  LibXml xml;
  Parser *parser;
  Document *document;
  const Source *source;
  const char *file;
  Text text;      // scratch
  XmlTexts texts; // where the texts of elements stand; their nodes have the numbers
  xmlDoc *again;  // the document in another encoding
} Reader;

// What may stand in an element; the first `once` of these may stand there once. Other elements
// have text, or what only editors read.
typedef struct Element {
  const char *name;
  uint32_t once;
  const char *children[9]; // up to NULL
} Element;

static const Element elements[] = {
    {"nta",
     5,
     {"imports", "declaration", "instantiation", "system", "queries", "template", "lsc",
      "simulator"}},
    {"template",
     4,
     {"name", "parameter", "declaration", "init", "location", "branchpoint", "transition"}},
    {"location", 3, {"name", "urgent", "committed", "label"}},
    {"transition", 2, {"source", "target", "label", "nail"}},
    {"queries", 0, {"option", "query"}},
    {"query", 2, {"formula", "comment", "option", "expect", "result"}}};
enum { ELEMENTS = sizeof elements / sizeof *elements };

// Kinds of labels. Those that mean something here come first; of edges in the order of EdgePart.
static const char *const location_kinds[] = {"invariant",     "exponentialrate", "comments",
                                             "testcodeEnter", "testcodeExit",    NULL};
static const char *const edge_kinds[] = {"select",     "guard",       "synchronisation",
                                         "assignment", "probability", "comments",
                                         "testcode",   NULL};

static bool is_element(const xmlNode *node, const char *name) {
  return node->type == XML_ELEMENT_NODE && !strcmp((const char *)node->name, name);
}

static const xmlNode *child(const xmlNode *node, const char *name) {
  for (const xmlNode *c = node->children; c; c = c->next)
    if (is_element(c, name))
      return c;
  return NULL;
}

// Where a line begins, behind its blanks.
static Place line_place(const Reader *r, long line) {
  const char *text = r->source->text;
  size_t at = report_text_begin(r->source);
  for (; line > 1; line--) {
    const char *end = memchr(text + at, '\n', r->source->size - at);
    if (!end)
      break;
    at = (size_t)(end - text) + 1;
  }
  while (at < r->source->size && (text[at] == ' ' || text[at] == '\t'))
    at++;
  return (Place){r->source, (uint32_t)at};
}

// One of perhaps many mistakes in the elements themselves.
__attribute__((format(printf, 3, 4))) static void fail(Reader *r, long line, const char *format,
                                                       ...) {
  va_list args;
  va_start(args, format);
  report_errors(r->parser->report, line_place(r, line), format, args);
  va_end(args);
  r->document->damage.is_any = true;
}

// Entities that the document declares are refused: without their text, labels would mean
// something else.
static void refuse_entity(Reader *r, const xmlNode *node, const xmlNode *reference) {
  fail(r, r->xml.line(node),
       "entities of one's own are not supported: write the text instead of `&%s;`",
       (const char *)reference->name);
}

static const char *attribute(Reader *r, const xmlNode *node, const char *name) {
  for (const xmlAttr *a = node->properties; a; a = a->next)
    if (!strcmp((const char *)a->name, name)) {
      for (const xmlNode *c = a->children; c; c = c->next)
        if (c->type == XML_ENTITY_REF_NODE)
          refuse_entity(r, node, c);
      return a->children && a->children->content ? (const char *)a->children->content : "";
    }
  return NULL;
}

// The text of an element, of elements inside it too (some editors mark words).
static void add_content(Reader *r, const xmlNode *node) {
  for (const xmlNode *c = node->children; c; c = c->next) {
    if ((c->type == XML_TEXT_NODE || c->type == XML_CDATA_SECTION_NODE) && c->content)
      text_add(&r->text, (const char *)c->content);
    else if (c->type == XML_ELEMENT_NODE)
      add_content(r, c);
    else if (c->type == XML_ENTITY_REF_NODE)
      refuse_entity(r, node, c);
  }
}

static bool is_blank(const char *text) { return !text[strspn(text, " \t\r\n\f\v")]; }

// Where the text of an element stands in the file.
static void note_text(const Reader *r, Source *source, const xmlNode *node) {
  const uintptr_t number = node ? (uintptr_t)node->_private : 0;
  if (!number || number > r->texts.size)
    return;
  source->file = r->source;
  source->begin = r->texts.items[number - 1].begin;
  source->end = r->texts.items[number - 1].end;
}

// The same for something without a text: it stands where its name does, or one of its labels.
static void note_name(const Reader *r, Source *source, const xmlNode *node) {
  note_text(r, source, node);
  if (source->file)
    source->begin += (uint32_t)strspn(r->source->text + source->begin, " \t\r\n");
}

// A source of its own for the text of an element.
static const Source *part(Reader *r, const xmlNode *node, const char *description) {
  Source *source = ARENA_NEW(r->parser->arena, Source);
  text_clear(&r->text);
  add_content(r, node);
  const char *chars = text_chars(&r->text);
  *source = (Source){.name = r->file,
                     .text = arena_text(r->parser->arena, chars, r->text.size),
                     .size = r->text.size,
                     .part = description,
                     .first_line = (uint32_t)r->xml.line(node)};
  note_text(r, source, node);
  return source;
}

__attribute__((format(printf, 2, 3))) static const char *describe(Reader *r, const char *format,
                                                                  ...) {
  va_list args;
  va_start(args, format);
  text_clear(&r->text);
  text_addv(&r->text, format, args);
  va_end(args);
  return arena_text(r->parser->arena, text_chars(&r->text), r->text.size);
}

// The name in the text of an element, without blanks around it; NULL if it is blank.
static const char *name_of(Reader *r, const xmlNode *node) {
  text_clear(&r->text);
  add_content(r, node);
  const char *chars = text_chars(&r->text);
  const size_t begin = strspn(chars, " \t\r\n\f\v");
  size_t end = strlen(chars);
  while (end > begin && strchr(" \t\r\n\f\v", chars[end - 1]))
    end--;
  return end > begin ? names_get(r->parser->names, chars + begin, end - begin) : NULL;
}

static void begin_part(Reader *r, const Source *source) {
  parser_begin(r->parser, source, 0, (uint32_t)source->size, TOKEN_MODEL);
}

// Nothing of this text was read.
static void doubt_all(Parser *p) {
  p->at = p->tokens.size - 1;
  parser_doubt(p, 0);
}

static LabelNode whole(const Source *source) {
  return (LabelNode){.text = source->text, .size = (uint32_t)source->size};
}

static DeclNode *declarations(Reader *r, const xmlNode *node, const char *description,
                              LabelNode *label) {
  if (!node)
    return NULL;
  const Source *source = part(r, node, description);
  *label = whole(source);
  begin_part(r, source);
  DeclNode *decls = NULL, **end = &decls;
  do {
    *end = parse_declarations(r->parser);
    while (*end)
      end = &(*end)->next;
  } while (parser_skip_stray(r->parser, "a declaration"));
  parser_end(r->parser);
  return decls;
}

static Place part_place(const Source *source) { return (Place){source, 0}; }

// The index of a name in a list, or an error that names the nearest one.
static uint32_t find_word(Reader *r, const xmlNode *node, const char *const *words,
                          const char *name, const char *what) {
  uint32_t k = 0;
  while (words[k] && strcmp(words[k], name) != 0)
    k++;
  if (words[k])
    return k;
  static const char *const others[][2] = {{"update", "assignment"},
                                          {"sync", "synchronisation"},
                                          {"synchronization", "synchronisation"},
                                          {"state", "location"},
                                          {"edge", "transition"},
                                          {"from", "source"},
                                          {"to", "target"},
                                          {"initial", "init"},
                                          {"query", "queries"}};
  const char *nearest = NULL;
  unsigned distance = (unsigned)strlen(name) / 2 + 1;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    for (uint32_t w = 0; w < k; w++)
      if (!strcmp(name, others[i][0]) && !strcmp(words[w], others[i][1])) {
        nearest = words[w];
        distance = 0;
      }
  for (uint32_t i = 0; i < k; i++) {
    const unsigned d = text_distance(name, words[i], distance);
    nearest = d < distance ? words[i] : nearest;
    distance = d;
  }
  if (!*name) {
    fail(r, r->xml.line(node), "this label has no kind, as in `kind=\"guard\"`");
    return UINT32_MAX;
  }
  fail(r, r->xml.line(node), "%s `%s`%s%s%s", what, name, nearest ? "; did you mean `" : "",
       nearest ? nearest : "", nearest ? "`?" : "");
  return UINT32_MAX;
}

static uint32_t find_kind(Reader *r, const xmlNode *label, const char *const *kinds,
                          const char *what) {
  const char *kind = attribute(r, label, "kind");
  return find_word(r, label, kinds, kind ? kind : "", what);
}

// What an element that is not known was meant to declare, and the name of the template that it
// stands in.
static void doubt_element(Reader *r, const xmlNode *parent, const xmlNode *node) {
  const xmlNode *name = child(parent, "name");
  const char *of = name ? name_of(r, name) : NULL;
  if (of)
    damage_add(&r->document->damage, r->parser->arena, of, strlen(of));
  const Source *text = part(r, node, "element");
  begin_part(r, text);
  doubt_all(r->parser);
  parser_end(r->parser);
}

// Elements that are not known, and those that would replace an earlier one, are errors.
static void check_children(Reader *r, const xmlNode *node, const Element *element) {
  Text what = {.mem = r->parser->arena->mem};
  text_addf(&what, "`%s` has no element", (const char *)node->name);
  for (const xmlNode *c = node->children; c; c = c->next) {
    if (c->type != XML_ELEMENT_NODE)
      continue;
    const char *name = (const char *)c->name;
    const xmlNode *first = c;
    const uint32_t word = find_word(r, c, element->children, name, text_chars(&what));
    if (word == UINT32_MAX)
      doubt_element(r, node, c);
    if (word < element->once)
      first = child(node, name);
    if (first != c)
      fail(r, r->xml.line(c), "`%s` is given twice; the first time at line %ld", name,
           r->xml.line(first));
    for (int k = 0; k < ELEMENTS; k++)
      if (!strcmp(elements[k].name, name))
        check_children(r, c, &elements[k]);
  }
  text_release(&what);
}

// Where the editor has an element. Editors have no use for larger numbers.
static PointNode point(Reader *r, const xmlNode *node) {
  enum { MAX = 1000000 };
  const char *x = attribute(r, node, "x"), *y = attribute(r, node, "y");
  if (!x || !y)
    return (PointNode){0};
  const long a = strtol(x, NULL, 10), b = strtol(y, NULL, 10);
  const bool is_near = a >= -MAX && a <= MAX && b >= -MAX && b <= MAX;
  return is_near ? (PointNode){(int32_t)a, (int32_t)b, true} : (PointNode){0};
}

static const char *colour_of(Reader *r, const xmlNode *node) {
  const char *colour = attribute(r, node, "color");
  return colour ? names_get(r->parser->names, colour, strlen(colour)) : NULL;
}

// The labels of the given kinds; what they say is not read here.
static RemarkNode *remarks(Reader *r, const xmlNode *node, const char *const *kinds) {
  RemarkNode *first = NULL, **last = &first;
  for (const xmlNode *label = node->children; label; label = label->next) {
    const char *kind = is_element(label, "label") ? attribute(r, label, "kind") : NULL;
    uint32_t k = 0;
    while (kind && kinds[k] && strcmp(kinds[k], kind) != 0)
      k++;
    if (!kind || !kinds[k])
      continue;
    RemarkNode *remark = ARENA_NEW(r->parser->arena, RemarkNode);
    *remark = (RemarkNode){.kind = kinds[k], .label = whole(part(r, label, kinds[k]))};
    remark->label.at = point(r, label);
    *last = remark;
    last = &remark->next;
  }
  return first;
}

// A location: its id and name first, for the messages about its labels.
static void location(Reader *r, TemplateNode *template, const xmlNode *node,
                     LocationNode ***last) {
  Parser *p = r->parser;
  LocationNode *location = ARENA_NEW(p->arena, LocationNode);
  const char *id = attribute(r, node, "id");
  if (!id) {
    fail(r, r->xml.line(node), "this location has no id, as in `<location id=\"id0\">`");
    template->is_broken = true;
  }
  id = id ? id : "";
  location->id = names_get(p->names, id, strlen(id));
  location->is_branch = is_element(node, "branchpoint");
  const xmlNode *name = child(node, "name");
  location->name = name ? name_of(r, name) : NULL;
  location->at = point(r, node);
  if (location->name)
    location->name_label = (LabelNode){
        .text = location->name, .size = (uint32_t)strlen(location->name), .at = point(r, name)};
  if (!location->name) {
    const char *made = describe(r, "_%s", id);
    location->name = names_get(p->names, made, strlen(made));
  }
  location->is_urgent = child(node, "urgent");
  location->is_committed = child(node, "committed");
  const char *where = describe(r, "template %s, location %s", template->name, location->name);
  Source *source = ARENA_NEW(p->arena, Source);
  *source = (Source){.name = r->file, .text = "", .part = where};
  source->first_line = (uint32_t)r->xml.line(node);
  note_name(r, source, name);
  location->place = part_place(source);
  static const char *const label_names[] = {"invariant", "rate"};
  Place given[2] = {0};
  for (const xmlNode *label = node->children; label; label = label->next) {
    const uint32_t kind =
        is_element(label, "label")
            ? find_kind(r, label, location_kinds, "a location has no label of the kind")
            : UINT32_MAX;
    if (kind > 1)
      continue;
    r->document->has_rates |= kind == 1;
    const Source *text = part(r, label, describe(r, "%s, %s", where, label_names[kind]));
    begin_part(r, text);
    parser_once(p, &given[kind], part_place(text), kind ? "the rate" : "the invariant");
    if (kind) {
      parse_rate(p, location);
      parser_expect_end(p);
      if (p->panic)
        location->rate = location->divisor = NULL;
    } else if (!parser_at(p, UT_END)) {
      location->invariant = parse_conjunction(p);
      location->invariant_label = parser_label(p, 0);
      location->invariant_label.at = point(r, label);
      parser_expect_end(p);
      if (p->panic)
        location->invariant = NULL;
    }
    parser_end(p);
  }
  location->colour = colour_of(r, node);
  location->remarks = remarks(r, node, location_kinds + 1);
  **last = location;
  *last = &location->next;
}

static const LocationNode *find(const TemplateNode *template, const char *id) {
  for (const LocationNode *l = template->locations; l; l = l->next)
    if (l->id == id)
      return l;
  return NULL;
}

static void edge_label(Reader *r, EdgeNode *edge, const xmlNode *label, const char *where,
                       Place *given) {
  Parser *p = r->parser;
  const uint32_t kind = find_kind(r, label, edge_kinds, "an edge has no label of the kind");
  r->document->has_weights |= kind == EDGE_WEIGHT;
  if (kind > EDGE_WEIGHT)
    return;
  const Source *source = part(
      r, label, describe(r, "%s, %s", where, kind == EDGE_UPDATE ? "update" : edge_kinds[kind]));
  begin_part(r, source);
  parse_edge_part(p, edge, (EdgePart)kind, part_place(source), given);
  if (kind < EDGE_WEIGHT)
    edge->labels[kind].at = point(r, label);
  parser_accept(p, ',');
  parser_accept(p, ';');
  parser_expect_end(p);
  if (p->panic)
    parse_forget_part(edge, (EdgePart)kind);
  if (p->panic && kind == EDGE_SELECT)
    doubt_all(p);
  parser_end(p);
}

static const char *reference(Reader *r, const xmlNode *node, const char *end) {
  const xmlNode *element = child(node, end);
  const char *ref = element ? attribute(r, element, "ref") : NULL;
  ref = ref ? ref : "";
  return names_get(r->parser->names, ref, strlen(ref));
}

// Whether a transition has a child that transitions do not have: an error that was told.
static bool has_unknown(const xmlNode *node) {
  for (const xmlNode *c = node->children; c; c = c->next)
    if (c->type == XML_ELEMENT_NODE && !is_element(c, "source") && !is_element(c, "target") &&
        !is_element(c, "label") && !is_element(c, "nail"))
      return true;
  return false;
}

// Whether a transition has both ends. Without them the model has an error.
static bool has_ends(Reader *r, const xmlNode *node) {
  static const char *const ends[] = {"source", "target"};
  for (int k = 0; k < 2; k++) {
    const xmlNode *element = child(node, ends[k]);
    if (element && attribute(r, element, "ref"))
      continue;
    if (!has_unknown(node)) // it is told of an element that is not known
      fail(r, r->xml.line(element ? element : node),
           "this transition has no %s: write `<%s ref=\"ID\"/>`", ends[k], ends[k]);
    return false;
  }
  return true;
}

static void edge(Reader *r, const TemplateNode *template, const xmlNode *node, EdgeNode ***last) {
  if (!has_ends(r, node))
    return;
  EdgeNode *edge = ARENA_NEW(r->parser->arena, EdgeNode);
  edge->source = reference(r, node, "source");
  edge->target = reference(r, node, "target");
  const LocationNode *from = find(template, edge->source), *to = find(template, edge->target);
  const char *where = describe(r, "template %s, edge %s -> %s", template->name,
                               from ? from->name : edge->source, to ? to->name : edge->target);
  Source *source = ARENA_NEW(r->parser->arena, Source);
  *source = (Source){.name = r->file, .text = "", .part = where};
  source->first_line = (uint32_t)r->xml.line(node);
  note_name(r, source, child(node, "label"));
  edge->place = edge->source_place = edge->target_place = part_place(source);
  const char *controllable = attribute(r, node, "controllable");
  edge->is_uncontrollable = controllable && !strcmp(controllable, "false");
  Place given[EDGE_PARTS] = {0};
  for (const xmlNode *label = node->children; label; label = label->next)
    if (is_element(label, "label"))
      edge_label(r, edge, label, where, given);
  NailNode **nails = &edge->nails;
  for (const xmlNode *c = node->children; c; c = c->next) {
    if (!is_element(c, "nail"))
      continue;
    NailNode *nail = ARENA_NEW(r->parser->arena, NailNode);
    nail->at = point(r, c);
    *nails = nail;
    nails = &nail->next;
  }
  edge->colour = colour_of(r, node);
  edge->remarks = remarks(r, node, edge_kinds + EDGE_WEIGHT);
  **last = edge;
  *last = &edge->next;
}

static void read_parameters(Reader *r, TemplateNode *template, const xmlNode *node) {
  if (!node)
    return;
  const Source *source = part(r, node, describe(r, "template %s, parameters", template->name));
  template->params_label = whole(source);
  begin_part(r, source);
  template->params = parse_parameters(r->parser);
  parser_expect_end(r->parser);
  if (r->parser->panic) {
    template->params = NULL;
    template->is_broken = true;
    doubt_all(r->parser);
    damage_add(&r->document->damage, r->parser->arena, template->name, strlen(template->name));
  }
  parser_end(r->parser);
}

static TemplateNode *read_template(Reader *r, const xmlNode *node) {
  TemplateNode *template = ARENA_NEW(r->parser->arena, TemplateNode);
  const xmlNode *name = child(node, "name");
  template->name = name ? name_of(r, name) : NULL;
  if (!template->name)
    fail(r, r->xml.line(node), "this template has no name, as in `<name>P</name>`");
  if (!template->name)
    template->name = names_get(r->parser->names, "_", 1);
  Source *source = ARENA_NEW(r->parser->arena, Source);
  *source = (Source){.name = r->file, .text = ""};
  source->part = describe(r, "template %s", template->name);
  source->first_line = (uint32_t)r->xml.line(node);
  note_name(r, source, name);
  template->place = part_place(source);
  read_parameters(r, template, child(node, "parameter"));
  template->decls = declarations(r, child(node, "declaration"),
                                 describe(r, "template %s, declarations", template->name),
                                 &template->decls_label);
  template->name_at = name ? point(r, name) : (PointNode){0};
  LocationNode **locations = &template->locations;
  for (const xmlNode *c = node->children; c; c = c->next)
    if (is_element(c, "location") || is_element(c, "branchpoint"))
      location(r, template, c, &locations);
  EdgeNode **edges = &template->edges;
  for (const xmlNode *c = node->children; c; c = c->next)
    if (is_element(c, "transition"))
      edge(r, template, c, &edges);
  const xmlNode *init = child(node, "init");
  const char *ref = init ? attribute(r, init, "ref") : NULL;
  template->init = ref ? names_get(r->parser->names, ref, strlen(ref)) : NULL;
  return template;
}

// What <expect> says: T, F, or NULL if it is about something else.
// <expect>, or a comment in the formula.
static const char *expectation(Reader *r, const xmlNode *query, const Source *formula) {
  const xmlNode *expect = child(query, "expect");
  if (!expect)
    return query_file_expectation(r->parser->arena, formula->text, formula->size);
  const char *outcome = attribute(r, expect, "outcome"), *type = attribute(r, expect, "type");
  if (!outcome || (type && strcmp(type, "symbolic") && strcmp(type, "quality")))
    return NULL;
  return !strcmp(outcome, "success")       ? "T"
         : !strcmp(outcome, "failure")     ? "F"
         : !strcmp(outcome, "maybe_true")  ? "MT"
         : !strcmp(outcome, "maybe_false") ? "MF"
         : !strcmp(outcome, "error")       ? "E"
                                           : NULL;
}

static void read_queries(Reader *r, const xmlNode *queries) {
  QueryNode **last = &r->document->queries;
  uint32_t number = 0;
  for (const xmlNode *node = queries->children; node; node = node->next) {
    if (!is_element(node, "query"))
      continue;
    number++;
    const xmlNode *formula = child(node, "formula");
    if (!formula)
      continue;
    const Source *source = part(r, formula, describe(r, "query %u", (unsigned)number));
    if (is_blank(source->text))
      continue;
    QueryNode *query = ARENA_NEW(r->parser->arena, QueryNode);
    *query =
        (QueryNode){.source = source,
                    .end = (uint32_t)source->size,
                    .expect = expectation(r, node, source),
                    .position = describe(r, "/nta/queries/query[%u]/formula", (unsigned)number)};
    const xmlNode *comment = child(node, "comment");
    query->comment = comment ? part(r, comment, "comment")->text : NULL;
    *last = query;
    last = &query->next;
  }
}

static void read_system(Reader *r, const xmlNode *node, const char *description) {
  Parser *p = r->parser;
  p->is_text = true; // `system` and `process` are words here
  const Source *source = part(r, node, description);
  LabelNode *label = &r->document->system_label; // <instantiation> comes before <system>
  const char *both = describe(r, "%s%s%s", label->size ? label->text : "",
                              label->size ? "\n" : "", source->text);
  *label = (LabelNode){.text = both, .size = (uint32_t)strlen(both)};
  begin_part(r, source);
  do {
    parse_system(p, r->document);
  } while (!parse_at_trailer(p) && parser_skip_stray(p, "an instance, `system` or the end"));
  parser_end(p);
  p->is_text = false;
}

// Numbers the elements that have a text, in the order of the file.
static uintptr_t number_texts(xmlNode *node, uintptr_t number) {
  for (; node; node = node->next) {
    if (node->type != XML_ELEMENT_NODE)
      continue;
    if (xml_texts_has((const char *)node->name))
      node->_private = (void *)++number;
    number = number_texts(node->children, number);
  }
  return number;
}

static void read_root(Reader *r, xmlNode *root) {
  TemplateNode **templates = &r->document->templates;
  r->document->damage.is_any = false;
  xml_texts_find(&r->texts, r->parser->arena->mem, r->source);
  if (number_texts(root->children, 0) != r->texts.size)
    r->texts.size = 0; // in another encoding
  check_children(r, root, &elements[0]);
  for (const xmlNode *node = root->children; node; node = node->next) {
    if (node->type == XML_ELEMENT_NODE && !is_element(node, "template") &&
        child(root, (const char *)node->name) != node)
      continue; // said already
    if (is_element(node, "declaration"))
      r->document->decls = declarations(r, node, "declarations", &r->document->decls_label);
    else if (is_element(node, "template")) {
      *templates = read_template(r, node);
      templates = &(*templates)->next;
    } else if (is_element(node, "instantiation"))
      read_system(r, node, "instantiation");
    else if (is_element(node, "system"))
      read_system(r, node, "system declarations");
    else if (is_element(node, "queries"))
      read_queries(r, node);
    else if (is_element(node, "lsc"))
      report_warning(r->parser->report, (Place){0},
                     "%s:%ld: the live sequence chart (`lsc`) is ignored: only `sat:` reads it",
                     r->file, r->xml.line(node));
  }
}

enum {
  XML_OPTIONS = XML_PARSE_NOCDATA | XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING |
                XML_PARSE_BIG_LINES
};

// The document again, with bytes that are no characters in its encoding as those of Latin-1. NULL
// if it is not well formed then either: it is damaged.
static xmlNode *read_latin(Reader *r) {
  xmlParserCtxt *context = r->xml.new_context();
  if (!context)
    mem_exhausted(r->parser->arena->mem);
  r->again = r->xml.read(context, r->source->text, (int)r->source->size, r->file, "ISO-8859-1",
                         XML_OPTIONS);
  r->xml.free_context(context);
  return r->again ? r->xml.root(r->again) : NULL;
}

// What people forget who write XML by hand.
static const char *xml_advice(const char *message) {
  return strstr(message, "StartTag: invalid element name") ? "; for `<` in a text write `&lt;`"
         : strstr(message, "xmlParseEntityRef: no name")   ? "; for `&` in a text write `&amp;`"
                                                           : "";
}

static void read_document(Reader *r, xmlDoc *xml, const xmlParserCtxt *context) {
  xmlNode *root = xml ? r->xml.root(xml) : NULL;
  const xmlError *error = &context->lastError;
  const char *message = error->message ? error->message : "it is empty";
  const int length = (int)strcspn(message, "\n");
  const Place place = {r->source, 0};
  xmlNode *latin;
  r->document->damage.is_any = true; // until it is read
  if (!root || (!is_element(root, "nta") && !is_element(root, "project")))
    report_error(r->parser->report, place,
                 root ? "this is not a UPPAAL model: the root element is not `nta`"
                      : "this is not XML (line %d: %.*s)",
                 error->line, length, message);
  else if (context->wellFormed)
    read_root(r, root);
  else if (!(latin = read_latin(r)))
    fail(r, error->line, "the XML is damaged (%.*s)%s", length, message, xml_advice(message));
  else {
    report_warning(r->parser->report, (Place){0},
                   "%s:%d: this is not text in the encoding of the file (%.*s); it is read as "
                   "ISO-8859-1",
                   r->file, error->line, length, message);
    read_root(r, latin);
  }
}

// Behind the end of what begins here with `open` and ends with `close`; `at` if it does not
// begin.
static const char *skip(const char *at, const char *open, const char *close) {
  if (strncmp(at, open, strlen(open)) != 0)
    return at;
  const char *end = strstr(at, close);
  return end ? end + strlen(close) : at + strlen(at);
}

// libxml2 compares each attribute of a tag with all before it: thousands of them take minutes.
// Where a tag of more than XML_MAX_TAG bytes begins, or NULL.
static const char *find_long_tag(const char *text) {
  for (const char *at = strchr(text, '<'); at; at = strchr(at, '<')) {
    const char *behind = skip(skip(at, "<!--", "-->"), "<![CDATA[", "]]>");
    if (behind == at) {
      const size_t length = strcspn(at, ">");
      if (length > XML_MAX_TAG)
        return at;
      behind = at + length;
    }
    at = behind;
  }
  return NULL;
}

void xml_read(Parser *parser, Document *document, const Source *source) {
  Reader reader = {.parser = parser,
                   .document = document,
                   .source = source,
                   .file = source->name,
                   .text = {.mem = parser->arena->mem}};
  if (source->size > XML_MAX_BYTES) {
    report_error(parser->report, (Place){0}, "%s: files over %d MiB are not supported",
                 source->name, XML_MAX_BYTES >> 20);
    return;
  }
  const char *tag = find_long_tag(source->text);
  if (tag) {
    report_error(parser->report, (Place){source, (uint32_t)(tag - source->text)},
                 "a tag of more than %d KiB is not supported", XML_MAX_TAG >> 10);
    return;
  }
  if (!libxml_load(&reader.xml)) {
    report_error(parser->report, (Place){0},
                 "%s: XML is read by libxml2, which is not installed (" TARN_LIBXML ")",
                 source->name);
    return;
  }
  xmlParserCtxt *context = reader.xml.new_context();
  if (!context)
    mem_exhausted(parser->arena->mem);
  xmlDoc *xml = reader.xml.read(context, source->text, (int)source->size, source->name, NULL,
                                XML_PARSE_RECOVER | XML_OPTIONS);
  // libxml2 has memory of its own, which must not be lost if ours runs out.
  Mem *mem = parser->arena->mem;
  jmp_buf *outer = mem->escape, escape;
  mem->escape = &escape;
  const bool escaped = setjmp(escape) != 0;
  if (!escaped)
    read_document(&reader, xml, context);
  mem->escape = outer;
  reader.xml.free_document(xml);
  reader.xml.free_document(reader.again);
  reader.xml.free_context(context);
  if (escaped)
    mem_exhausted(mem);
  text_release(&reader.text);
  vec_release(mem, &reader.texts);
}
