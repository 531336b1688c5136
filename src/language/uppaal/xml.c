#include "language/uppaal/xml.h"

#include "language/uppaal/libxml.h"
#include "language/uppaal/query_file.h"

#include <string.h>

typedef struct Reader {
  LibXml xml;
  Parser *parser;
  Document *document;
  const Source *source;
  const char *file;
  Text text;         // scratch
  bool is_uncertain; // damage may have changed the queries
  xmlDoc *again;     // a damaged document in another encoding
} Reader;

static bool is_element(const xmlNode *node, const char *name) {
  return node->type == XML_ELEMENT_NODE && !strcmp((const char *)node->name, name);
}

static const xmlNode *child(const xmlNode *node, const char *name) {
  for (const xmlNode *c = node->children; c; c = c->next)
    if (is_element(c, name))
      return c;
  return NULL;
}

// Entities that the document declares are refused: without their text, labels would mean
// something else.
static void refuse_entity(Reader *r, const xmlNode *node, const xmlNode *reference) {
  report_error(r->parser->report, (Place){0},
               "%s:%ld: entities of one's own are not supported: write the text instead of "
               "`&%s;`",
               r->file, r->xml.line(node), (const char *)reference->name);
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

static DeclNode *declarations(Reader *r, const xmlNode *node, const char *description) {
  if (!node)
    return NULL;
  begin_part(r, part(r, node, description));
  DeclNode *decls = parse_declarations(r->parser);
  if (!parser_at(r->parser, UT_END))
    parser_expect(r->parser, UT_END, "a declaration");
  parser_end(r->parser);
  return decls;
}

static Place part_place(const Source *source) { return (Place){source, 0}; }

// A location: its id and name first, for the messages about its labels.
static void location(Reader *r, TemplateNode *template, const xmlNode *node,
                     LocationNode ***last) {
  Parser *p = r->parser;
  LocationNode *location = ARENA_NEW(p->arena, LocationNode);
  const char *id = attribute(r, node, "id");
  id = id ? id : "";
  location->id = names_get(p->names, id, strlen(id));
  location->is_branch = is_element(node, "branchpoint");
  const xmlNode *name = child(node, "name");
  location->name = name ? name_of(r, name) : NULL;
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
  location->place = part_place(source);
  for (const xmlNode *label = node->children; label; label = label->next) {
    const char *kind = is_element(label, "label") ? attribute(r, label, "kind") : NULL;
    if (kind && !strcmp(kind, "exponentialrate"))
      r->document->has_rates = true;
    if (!kind || strcmp(kind, "invariant"))
      continue;
    const Source *text = part(r, label, describe(r, "%s, invariant", where));
    begin_part(r, text);
    if (!parser_at(p, UT_END)) {
      location->invariant = parse_conjunction(p);
      parser_expect_end(p);
    }
    parser_end(p);
  }
  **last = location;
  *last = &location->next;
}

static const LocationNode *find(const TemplateNode *template, const char *id) {
  for (const LocationNode *l = template->locations; l; l = l->next)
    if (l->id == id)
      return l;
  return NULL;
}

static void edge_label(Reader *r, EdgeNode *edge, const xmlNode *label, const char *where) {
  Parser *p = r->parser;
  const char *kind = attribute(r, label, "kind");
  if (!kind)
    return;
  const bool is_select = !strcmp(kind, "select"), is_guard = !strcmp(kind, "guard");
  const bool is_sync = !strcmp(kind, "synchronisation"), is_update = !strcmp(kind, "assignment");
  if (!strcmp(kind, "probability"))
    r->document->has_weights = true;
  if (!is_select && !is_guard && !is_sync && !is_update)
    return;
  begin_part(r, part(r, label, describe(r, "%s, %s", where, is_update ? "update" : kind)));
  if (!parser_at(p, UT_END)) {
    if (is_select)
      edge->select = parse_bindings(p);
    else if (is_guard)
      edge->guard = parse_conjunction(p);
    else if (is_sync)
      parse_sync(p, edge);
    else
      edge->update = parse_list(p);
    parser_accept(p, ',');
    parser_accept(p, ';');
    parser_expect_end(p);
  }
  parser_end(p);
}

static const char *reference(Reader *r, const xmlNode *node, const char *end) {
  const xmlNode *element = child(node, end);
  const char *ref = element ? attribute(r, element, "ref") : NULL;
  ref = ref ? ref : "";
  return names_get(r->parser->names, ref, strlen(ref));
}

static void edge(Reader *r, const TemplateNode *template, const xmlNode *node, EdgeNode ***last) {
  EdgeNode *edge = ARENA_NEW(r->parser->arena, EdgeNode);
  edge->source = reference(r, node, "source");
  edge->target = reference(r, node, "target");
  const LocationNode *from = find(template, edge->source), *to = find(template, edge->target);
  const char *where = describe(r, "template %s, edge %s -> %s", template->name,
                               from ? from->name : edge->source, to ? to->name : edge->target);
  Source *source = ARENA_NEW(r->parser->arena, Source);
  *source = (Source){.name = r->file, .text = "", .part = where};
  source->first_line = (uint32_t)r->xml.line(node);
  edge->place = edge->source_place = edge->target_place = part_place(source);
  const char *controllable = attribute(r, node, "controllable");
  edge->is_uncontrollable = controllable && !strcmp(controllable, "false");
  for (const xmlNode *label = node->children; label; label = label->next)
    if (is_element(label, "label"))
      edge_label(r, edge, label, where);
  **last = edge;
  *last = &edge->next;
}

static void read_parameters(Reader *r, TemplateNode *template, const xmlNode *node) {
  if (!node)
    return;
  begin_part(r, part(r, node, describe(r, "template %s, parameters", template->name)));
  template->params = parse_parameters(r->parser);
  parser_expect_end(r->parser);
  parser_end(r->parser);
}

static TemplateNode *read_template(Reader *r, const xmlNode *node) {
  TemplateNode *template = ARENA_NEW(r->parser->arena, TemplateNode);
  const xmlNode *name = child(node, "name");
  template->name = name ? name_of(r, name) : NULL;
  if (!template->name)
    template->name = names_get(r->parser->names, "_", 1);
  Source *source = ARENA_NEW(r->parser->arena, Source);
  *source = (Source){.name = r->file, .text = ""};
  source->part = describe(r, "template %s", template->name);
  source->first_line = (uint32_t)r->xml.line(node);
  template->place = part_place(source);
  read_parameters(r, template, child(node, "parameter"));
  template->decls = declarations(r, child(node, "declaration"),
                                 describe(r, "template %s, declarations", template->name));
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

// So it is refused, and says why.
static const Source *mark_damaged(Reader *r, const Source *query) {
  Source *source = ARENA_NEW(r->parser->arena, Source);
  *source = *query;
  source->text = describe(r, "(damaged XML) %s", query->text);
  source->size = strlen(source->text);
  return source;
}

static void read_queries(Reader *r, const xmlNode *queries) {
  QueryNode **last = &r->document->queries;
  uint32_t number = 0;
  r->document->has_queries = true;
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
    if (r->is_uncertain)
      source = mark_damaged(r, source);
    QueryNode *query = ARENA_NEW(r->parser->arena, QueryNode);
    *query =
        (QueryNode){.source = source,
                    .end = (uint32_t)source->size,
                    .expect = expectation(r, node, source),
                    .position = describe(r, "/nta/queries/query[%u]/formula", (unsigned)number)};
    *last = query;
    last = &query->next;
  }
}

static void read_system(Reader *r, const xmlNode *node, const char *description) {
  Parser *p = r->parser;
  p->is_text = true; // `system` and `process` are words here
  begin_part(r, part(r, node, description));
  parse_system(p, r->document);
  if (!parse_at_trailer(p) && !parser_at(p, UT_END))
    parser_expect(p, UT_END, "an instance, `system` or the end");
  parser_end(p);
  p->is_text = false;
}

static void read_root(Reader *r, const xmlNode *root) {
  TemplateNode **templates = &r->document->templates;
  for (const xmlNode *node = root->children; node; node = node->next) {
    if (is_element(node, "declaration"))
      r->document->decls = declarations(r, node, "declarations");
    else if (is_element(node, "template")) {
      *templates = read_template(r, node);
      templates = &(*templates)->next;
    } else if (is_element(node, "instantiation"))
      read_system(r, node, "instantiation");
    else if (is_element(node, "system"))
      read_system(r, node, "system declarations");
    else if (is_element(node, "queries"))
      read_queries(r, node);
    else if (is_element(node, "lsc")) {
      const Source *source = part(r, node, "scenario");
      r->parser->panic = false;
      begin_part(r, source);
      parser_fail(r->parser, part_place(source),
                  "live sequence charts (`lsc`) are not supported: delete the scenario");
      parser_end(r->parser);
    }
  }
}

enum {
  XML_OPTIONS = XML_PARSE_NOCDATA | XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING |
                XML_PARSE_BIG_LINES
};

enum { ENCODINGS = 2 };
static const char *const encodings[ENCODINGS] = {NULL, "ISO-8859-1"};

// Whether a document is well formed up to here, if its end is `closing` and that of the root.
static bool is_intact(Reader *r, const char *end, const char *closing, const xmlNode *root,
                      const char *encoding) {
  text_clear(&r->text);
  text_addf(&r->text, "%.*s%s</%s>", (int)(end - r->source->text), r->source->text, closing,
            (const char *)root->name);
  const char *text = text_chars(&r->text);
  xmlParserCtxt *context = r->xml.new_context();
  if (!context)
    return false;
  r->xml.free_document(
      r->xml.read(context, text, (int)r->text.size, r->file, encoding, XML_OPTIONS));
  const bool intact = context->wellFormed;
  r->xml.free_context(context);
  return intact;
}

// In which of the encodings a damaged document is well formed up to the end of `system`: then at
// most queries suffered. Bytes that are none in the encoding of the document do no harm as
// Latin-1. ENCODINGS: in none.
static int find_encoding(Reader *r, const xmlNode *root) {
  static const char end[] = "</system>";
  const char *found = strstr(r->source->text, end);
  int i = found ? 0 : ENCODINGS;
  while (i < ENCODINGS && !is_intact(r, found + strlen(end), "", root, encodings[i]))
    i++;
  return i;
}

// Whether it is damaged before the end of the last query. Behind the first damage libxml2 drops
// all references: `v &gt; -1` would be read as `v  -1`.
static bool are_queries_uncertain(Reader *r, const xmlNode *root, const char *encoding) {
  static const char end[] = "</query>";
  const char *last = NULL;
  for (const char *at = r->source->text; (at = strstr(at, end)); at = last)
    last = at + strlen(end);
  return !last || !is_intact(r, last, "</queries>", root, encoding);
}

// A damaged document whose model is intact, in the encoding in which it is. References behind a
// byte that is no character would be dropped: so the document is read again.
static void read_damaged(Reader *r, const xmlNode *root, int encoding) {
  r->is_uncertain = are_queries_uncertain(r, root, encodings[encoding]);
  if (encoding) {
    xmlParserCtxt *context = r->xml.new_context();
    if (!context)
      mem_exhausted(r->parser->arena->mem);
    r->again = r->xml.read(context, r->source->text, (int)r->source->size, r->file,
                           encodings[encoding], XML_PARSE_RECOVER | XML_OPTIONS);
    r->xml.free_context(context);
    root = r->again ? r->xml.root(r->again) : NULL;
  }
  if (root)
    read_root(r, root);
}

static void read_document(Reader *r, xmlDoc *xml, const xmlParserCtxt *context) {
  const xmlNode *root = xml ? r->xml.root(xml) : NULL;
  const xmlError *error = &context->lastError;
  const char *message = error->message ? error->message : "it is empty";
  const int length = (int)strcspn(message, "\n");
  const Place place = {r->source, 0};
  int encoding;
  if (!root || (!is_element(root, "nta") && !is_element(root, "project")))
    report_error(r->parser->report, place,
                 root ? "this is no UPPAAL model: the root element is not `nta`"
                      : "this is not XML (line %d: %.*s)",
                 error->line, length, message);
  else if (context->wellFormed)
    read_root(r, root);
  else if ((encoding = find_encoding(r, root)) == ENCODINGS)
    report_error(r->parser->report, (Place){0}, "%s:%d: the XML is damaged (%.*s)", r->file,
                 error->line, length, message);
  else {
    report_warning(r->parser->report, (Place){0},
                   "%s:%d: the XML is damaged (%.*s); it is read as far as possible", r->file,
                   error->line, length, message);
    read_damaged(r, root, encoding);
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
// Where a tag of more than XML_MOST_TAG bytes begins, or NULL.
static const char *find_long_tag(const char *text) {
  for (const char *at = strchr(text, '<'); at; at = strchr(at, '<')) {
    const char *behind = skip(skip(at, "<!--", "-->"), "<![CDATA[", "]]>");
    if (behind == at) {
      const size_t length = strcspn(at, ">");
      if (length > XML_MOST_TAG)
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
  if (source->size > XML_MOST_BYTES) {
    report_error(parser->report, (Place){0}, "%s: files over %d MiB are not supported",
                 source->name, XML_MOST_BYTES >> 20);
    return;
  }
  const char *tag = find_long_tag(source->text);
  if (tag) {
    report_error(parser->report, (Place){source, (uint32_t)(tag - source->text)},
                 "a tag of more than %d KiB is not supported", XML_MOST_TAG >> 10);
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
}
