#include "plan/service/service_queries.h"

#include "language/query_reader.h"
#include "language/uppaal/damage.h"
#include "language/uppaal/uppaal.h"

#include <string.h>

#define NOTHING UINT32_MAX

typedef struct Bound { // by a quantifier
  const VarNode *var;
  const struct Bound *outer;
} Bound;

typedef struct Lookup {
  const ServiceQueries *queries;
  const ServiceNames *names;
  Report *report;
  const Bound *bound;
} Lookup;

static bool is_bound(const Lookup *l, const char *name) {
  for (const Bound *b = l->bound; b; b = b->outer)
    if (b->var && b->var->name && !strcmp(b->var->name, name))
      return true;
  return false;
}

// What a mistake of syntax left unread may declare it; some names are declared in all models.
static bool may_be_there(const Lookup *l, const char *name) {
  const Document *document = uppaal_document(l->queries->net);
  return is_bound(l, name) || !document || damage_has(&document->damage, name, strlen(name)) ||
         !strncmp(name, "INT", 3) || !strncmp(name, "UINT", 4) || !strncmp(name, "M_", 2) ||
         !strcmp(name, "cost");
}

static const Definition *resolve(const Lookup *l, const char *name, const char *container) {
  const uint32_t number = service_names_resolve(l->names, name, strlen(name), NOTHING, container);
  return number == NOTHING ? NULL : &l->names->definitions.items[number];
}

// What has nearly that name: a member of the container, or something that is no member.
static const char *nearest(const Lookup *l, const char *name, const char *container) {
  Nearest found = {0};
  for (uint32_t i = 0; i < l->names->definitions.size; i++) {
    const Definition *one = &l->names->definitions.items[i];
    const bool is_member = one->container != NULL && one->kind != DEFINE_PARAMETER;
    if (container ? is_member && !strcmp(one->container, container) : !one->container)
      text_consider(&found, name, one->name);
  }
  return found.name;
}

static void report_name(const Lookup *l, Place place, const char *of, const char *name,
                        const char *container) {
  const char *meant = nearest(l, name, container);
  report_error(l->report, place,
               container ? "process `%s` has no location, variable or clock `%s`%s%s%s"
                         : "%s`%s` is not declared%s%s%s",
               of, name, meant ? "; did you mean `" : "", meant ? meant : "", meant ? "`?" : "");
}

static void look_up(Lookup *l, const Tree *tree);

// P.x and P(3).x
static void look_up_member(Lookup *l, const Tree *tree) {
  const Tree *whole = tree->a && tree->a->kind == NODE_CALL ? tree->a->a : tree->a;
  look_up(l, tree->a);
  const Definition *of =
      whole && whole->kind == NODE_NAME && whole->name ? resolve(l, whole->name, NULL) : NULL;
  if (!of || !tree->name || (of->kind != DEFINE_PROCESS && of->kind != DEFINE_TEMPLATE))
    return;
  const char *container = of->made_from ? of->made_from : of->name;
  // In a template that was not read to its end, anything can be.
  if (resolve(l, container, NULL) && !resolve(l, tree->name, container) &&
      !may_be_there(l, tree->name) && !may_be_there(l, container))
    report_name(l, tree->place, of->name, tree->name, container);
}

static void look_up(Lookup *l, const Tree *tree) {
  for (; tree && !report_failed(l->report); tree = tree->next) {
    if (tree->kind == NODE_NAME) {
      if (tree->name && !may_be_there(l, tree->name) && !resolve(l, tree->name, NULL))
        report_name(l, tree->place, "", tree->name, NULL);
    } else if (tree->kind == NODE_DOT) {
      look_up_member(l, tree);
    } else if (tree->kind == NODE_QUANTIFY) {
      const Bound bound = {tree->var, l->bound};
      l->bound = &bound;
      look_up(l, tree->a);
      l->bound = bound.outer;
    } else {
      if (tree->kind != NODE_CALL) // functions that all models have are not declared
        look_up(l, tree->a);
      look_up(l, tree->b);
      look_up(l, tree->c);
    }
  }
}

static void read_without_model(const ServiceQueries *queries, const QueryNode *q,
                               Report *report) {
  Query query = {0};
  if (!uppaal_query_parse(&query, queries->arena, q->source, (uint32_t)q->begin, (uint32_t)q->end,
                          report))
    return;
  Lookup l = {.queries = queries, .names = queries->names, .report = report};
  look_up(&l, query.tree);
  look_up(&l, query.conclusion_tree);
  for (uint32_t k = 0; k < query.value_count; k++)
    look_up(&l, query.value_trees[k]);
}

void service_queries_read(const ServiceQueries *queries, MessageList *messages) {
  for (const QueryNode *q = queries->first; q; q = q->next) {
    Report report;
    report_init(&report, queries->mem);
    MessageList list = {0}; // a reader may take its own messages back, but no others
    report.list = &list;
    Query query;
    if (queries->has_model)
      query_read_part(&query, queries->arena, queries->net, q->source, q->begin, q->end, &report);
    else if (uppaal_document(queries->net) && queries->names->definitions.size)
      read_without_model(queries, q, &report);
    for (uint32_t i = 0; i < list.size; i++)
      vec_push(queries->mem, messages, list.items[i]);
    report.list = NULL;
    report_release(&report);
  }
}
