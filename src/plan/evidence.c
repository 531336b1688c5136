#include "plan/evidence.h"

#include "answers/runs/cover.h"
#include "check/certificate_reader.h"
#include "check/growth.h"
#include "check/lasso.h"
#include "check/meaning.h"
#include "language/query_reader.h"
#include "language/uppaal/query_file.h"
#include "model/expr/print.h"
#include "model/marking.h"
#include "plan/fingerprint.h"
#include "plan/rescale.h"
#include "plan/run_reader.h"
#include "plan/taken.h"
#include "plan/valueclaims.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Asked { // what a piece of evidence is about
  const Net *net;      // the model, as the query sees it
  Query query;         // if there is one
  Goal goal;
} Asked;

typedef struct Evidence {
  Mem *mem;
  Arena arena;
  Units units;
  const Net *net;   // of the present piece
  VEC(Asked) asked; // of each run
  Text *finding;
  Certified *certified;            // NULL: not wanted
  const char *file;                // of the evidence
  const char *model;               // its name
  unsigned char hash[SHA256_SIZE]; // of the model, if `certified` or a file needs it
  bool has_hash;
  Report *report;
  const Net *twin_of; // the network of `twin`
  const Net *twin;    // that the second evaluator knows
  uint64_t features;  // of a certificate
} Evidence;

static const unsigned char *model_hash(Evidence *e) {
  if (!e->has_hash)
    fingerprint_model(e->hash, e->mem, e->units.net);
  e->has_hash = true;
  return e->hash;
}

// The query as it is shown: on one line and without comments, since it comes from the file. A
// comment could look like a finding.
static void print_query(Text *text, const char *query) {
  Text bare = {.mem = text->mem};
  query_file_bare(&bare, query);
  for (const char *c = text_chars(&bare); *c; c++)
    if ((unsigned char)*c < ' ' || *c == '\177')
      text_addf(text, "\\%03d", *c);
    else
      text_add_bytes(text, c, 1);
  text_release(&bare);
}

static void add_query(Text *text, const char *query) {
  print_query(text, query);
  text_add(text, ": ");
}

static bool has_meta(const Net *net) {
  bool found = false;
  for (uint32_t slot = 0; net->slots.is_meta && slot < net->slots.count; slot++)
    found |= net->slots.is_meta[slot];
  return found;
}

// What is concluded from the expressions of the network, which the second evaluator does not
// read.
static void add_conclusions(const Evidence *e, Text *text) {
  const char *const all[] = {e->features & CERTIFY_RENAMED ? "symmetries" : NULL,
                             e->features & CERTIFY_REDUCED ? "what partial order leaves out"
                                                           : NULL,
                             e->features & CERTIFY_FORGETS ? "which variables are dead" : NULL,
                             e->features & CERTIFY_SLICED ? "which processes are left out" : NULL,
                             has_meta(e->net) ? "which meta variables matter" : NULL};
  const char *before = ", its elaboration of the model for ";
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i]) {
      text_addf(text, "%s%s", before, all[i]);
      before = " and ";
    }
}

// What has to be trusted: with a second evaluator that agrees everywhere, the interpreter is not,
// and the elaboration of the model only for some conclusions.
static const char *trusted(Evidence *e, bool has_query) {
  static const char both[] =
      "tarn's reader and interpreter of the model, its checker (src/check)";
  static const char rest[] = ", the compiler and the machine";
  const MeaningCounts counts = meaning_counts(e->twin);
  const bool lacks_query = has_query && !counts.knows_query;
  Text text = {.mem = e->mem};
  if (counts.compared && !counts.unknown && !lacks_query) {
    text_add(&text, counts.has_text
                        ? "tarn's reader of queries, its checker (src/check), which reads the "
                          "model itself and agrees with the interpreter everywhere"
                        : "tarn's parser, its checker (src/check), which evaluates the syntax "
                          "tree of the model and agrees with the interpreter everywhere");
    add_conclusions(e, &text);
    text_add(&text, rest);
  } else {
    text_add(&text, both);
    text_add(&text, rest);
  }
  if (counts.why && !counts.compared) {
    text_add(&text, "; a second evaluator does not know the model: ");
    report_place(&text, counts.place);
    text_addf(&text, " (%s)", counts.why);
  } else if (counts.compared && (counts.unknown || lacks_query)) {
    text_addf(&text,
              "; a second evaluator of the model agrees on %llu conditions and updates, and "
              "does not know ",
              (unsigned long long)counts.compared);
    if (lacks_query)
      text_add(&text, counts.why ? "the query and " : "the query");
    if (counts.why) {
      text_addf(&text, "%llu, such as ", (unsigned long long)counts.unknown);
      report_place(&text, counts.place);
      text_addf(&text, " (%s)", counts.why);
    }
  }
  return text_chars(&text);
}

// Keeps what was proved of a query (NULL: of all states), or why it was not.
static void certify(Evidence *e, const char *query, const char *verdict, const char *kind,
                    const char *reason) {
  Text shown = {.mem = e->mem};
  if (!e->certified)
    return;
  if (query)
    print_query(&shown, query);
  const CertifiedPiece piece = {.model = e->model,
                                .file = e->file,
                                .hash = model_hash(e),
                                .query = query ? text_chars(&shown) : NULL,
                                .verdict = verdict,
                                .kind = kind,
                                .reason = reason,
                                .trusted = trusted(e, query != NULL)};
  certified_add(e->certified, &piece);
}

static bool is_lasso(const Query *query) {
  return query->kind == QUERY_POSSIBLY || query->kind == QUERY_EVENTUALLY ||
         query->kind == QUERY_LEADS_TO || query->kind == QUERY_BUCHI;
}

// The text may be NULL: then no query is asked.
static bool read_asked(Evidence *e, const char *text, bool is_labels, Asked *asked) {
  Arena *arena = &e->arena;
  Query *query = &asked->query;
  asked->net = units_net(&e->units, NULL, false);
  if (!text)
    return true;
  Source *source = ARENA_NEW(arena, Source);
  *source =
      (Source){.name = is_labels ? "<labels>" : "<query>", .text = text, .size = strlen(text)};
  if (!(is_labels ? query_read_labels : query_read)(query, arena, e->units.net, source,
                                                    e->report))
    return false;
  asked->net = query_keep_meta(query, rescale_query(&e->units, query, arena), arena);
  return query_goal(&asked->goal, arena, asked->net, query, e->report);
}

static const Net *net_of(void *evidence, const StoredRun *stored) {
  Evidence *e = evidence;
  Asked asked = {0};
  if (!read_asked(e, stored->query, stored->is_labels, &asked))
    return NULL;
  vec_push(e->mem, &e->asked, asked);
  return asked.net;
}

// The net, with a second evaluator beside the interpreter.
static const Net *with_twin(Evidence *e, const Net *net) {
  if (e->twin_of == net)
    return e->twin;
  meaning_release(e->twin);
  e->twin_of = net;
  return e->twin = meaning_net(&e->arena, net);
}

// Whether the two agree on all that was evaluated, also if the evidence is rejected.
static bool do_agree(const Evidence *e, Text *why) {
  const char *difference = meaning_difference(e->twin);
  if (!difference)
    return true;
  text_clear(why);
  return text_refuse(why, "a second evaluator of the model finds something else: %s", difference);
}

// What an infinite run has to show; `goal` is that of the query. False with an error.
static bool read_claim(const Evidence *e, Arena *arena, const Query *query, const Goal *goal,
                       LassoClaim *claim) {
  Goal *conclusion = ARENA_NEW(arena, Goal);
  Goal *labels = ARENA_ARRAY(arena, Goal, query->value_count);
  *claim = (LassoClaim){.labels = labels, .label_count = query->value_count};
  for (uint32_t i = 0; i < query->value_count; i++)
    if (!goal_build(&labels[i], arena, query->values[i], false, query->place, e->report))
      return false;
  for (uint32_t i = 0; query->value_trees && i < query->value_count; i++)
    labels[i].tree = query->value_trees[i];
  if (query->kind == QUERY_LEADS_TO &&
      !goal_build(conclusion, arena, query->conclusion, true, query->place, e->report))
    return false;
  conclusion->tree = query->conclusion_tree;
  conclusion->is_opposite = true;
  if (query->kind != QUERY_BUCHI)
    claim->stay = query->kind == QUERY_LEADS_TO ? conclusion : goal;
  claim->start = query->kind == QUERY_LEADS_TO ? goal : NULL;
  return true;
}

// An infinite run. False with an error, too.
static bool check_lasso(const Evidence *e, Arena *arena, const Query *query, const Goal *goal,
                        const Run *run, Text *why) {
  LassoClaim claim;
  return read_claim(e, arena, query, goal, &claim) &&
         lasso_check(e->mem, e->net, &claim, run, why);
}

static bool is_extreme(const Query *query) {
  return query->kind == QUERY_SUP || query->kind == QUERY_INF || query->kind == QUERY_BOUNDS;
}

// The last bound in a text such as `x >= 0, x < 7`.
static bool read_bound(const char *values, int64_t *bound, bool *is_low, bool *is_strict) {
  const char *at = values + strlen(values);
  while (at > values && strchr("0123456789-", at[-1]))
    at--;
  char *end;
  errno = 0;
  *bound = strtoll(at, &end, 10);
  if (end == at || *end || errno)
    return false;
  while (at > values && at[-1] == ' ')
    at--;
  *is_strict = at > values && at[-1] != '=';
  at -= at > values && at[-1] == '=';
  *is_low = at > values && at[-1] == '>';
  return at > values && (at[-1] == '>' || at[-1] == '<');
}

// That a run comes within 1 of a bound says nothing where clocks are stopped: their values are
// not unions of intervals between whole numbers then.
static bool knows_values(const Evidence *e, bool is_strict, Text *why) {
  return !is_strict || !e->net->traits.has_stopwatches ||
         text_refuse(why, "clocks are stopped in this model: it is not known how far they get");
}

// The bound in the unit of the net, in which clocks count there; false if it is none of it.
static bool scale_bound(const Evidence *e, const Expr *value, int64_t *bound) {
  const int64_t unit = value->kind == EXPR_CLOCK ? net_unit(e->net) : 1;
  const bool fits = *bound % unit == 0;
  *bound /= unit;
  return fits && *bound >= -INT32_MAX && *bound <= INT32_MAX;
}

// The value that a text such as `x < 7` is about; NULL: none of the query.
static const Expr *value_of(const Evidence *e, const Query *query, const char *said) {
  const Expr *found = NULL;
  size_t longest = 0; // `a - b <= 3` is not about `a`
  for (uint32_t i = 0; i < query->value_count; i++) {
    Text name = {.mem = e->mem};
    expr_print(&name, query->values[i]);
    if (name.size > longest && !strncmp(said, text_chars(&name), name.size) &&
        said[name.size] == ' ') {
      found = query->values[i];
      longest = name.size;
    }
    text_release(&name);
  }
  return found;
}

// The goal of a condition about the values that a query asks for.
static bool build_value_goal(const Evidence *e, Arena *arena, const Query *query,
                             const Expr *condition, Goal *goal) {
  if (!goal_build(goal, arena, condition, false, query->place, e->report))
    return false;
  goal->tree = condition ? valueclaims_tree(arena, query, condition, net_unit(e->net)) : NULL;
  return true;
}

// A clock that grows, checked as a value: that both evaluators mean the same one, and then that
// it grows.
static bool check_growth(const Evidence *e, Arena *arena, const Query *query, const Expr *value,
                         const Run *run, Text *why) {
  const Expr *test = expr_clock_test(arena, query->place, value, NULL, EXPR_GE,
                                     expr_const(arena, query->place, 1));
  const Run first = {.steps = run->steps,
                     .step_count = 1,
                     .denominator = run->denominator,
                     .end_time = run->steps->time};
  Text unused = {.mem = e->mem};
  Goal goal;
  bool ok = build_value_goal(e, arena, query, test, &goal);
  if (ok)
    (void)replay_run(e->mem, e->net, &goal, &first, &unused);
  text_release(&unused);
  return ok && build_value_goal(e, arena, query, query->formula, &goal) &&
         growth_check(e->mem, e->net, &goal, value->base, run, why);
}

// Whether the file says of the values what the run shows, and no other number beside it: all that
// is said, or one of several values.
static bool is_said(const StoredRun *stored, QueryKind kind, const char *shown) {
  const char *all = stored->values;
  const size_t size = strlen(shown), length = strlen(all);
  if (!stored->shows)
    return !strcmp(all, shown) ||
           (kind == QUERY_BOUNDS && length > size + 2 &&
            !memcmp(all + length - size - 2, ", ", 2) && !strcmp(all + length - size, shown));
  bool found = false;
  for (const char *at = all; !found && (at = strstr(at, shown)); at++)
    found = (at == all || (at[-1] == ' ' && strchr(",;", at[-2]))) &&
            (!at[size] || strchr(",;", at[size]));
  return found && !strcmp(stored->shows, shown);
}

// What a run that comes to a value shows of the extreme one, in place of what the file says.
static void print_reached(Text *shown, const Expr *value, int64_t bound, bool is_low) {
  text_clear(shown);
  text_add(shown, is_low ? "inf of " : "sup of ");
  expr_print(shown, value);
  text_addf(shown, " is at %s %lld", is_low ? "most" : "least", (long long)bound);
}

// A run to an extreme value, or one in which a clock grows for ever. `shown` is what it shows.
static bool check_value(const Evidence *e, Arena *arena, const Query *query,
                        const StoredRun *stored, Text *shown, Text *why) {
  static const char endless[] = " grows without end",
                    none[] = "it does not say which value it shows";
  const char *said = stored->shows ? stored->shows : stored->values;
  const size_t size = said ? strlen(said) : 0, tail = strlen(endless);
  Goal goal;
  int64_t bound = 0;
  bool is_low = false, is_strict = false;
  const Expr *value = size ? value_of(e, query, said) : NULL;
  if (!value)
    return text_refuse(why, "%s", none);
  const bool grows = size > tail && !strcmp(said + size - tail, endless);
  if (grows && (query->kind == QUERY_INF || value->kind != EXPR_CLOCK))
    return text_refuse(why, "only the greatest value of a clock can grow without end");
  if (!grows && (!read_bound(said, &bound, &is_low, &is_strict) ||
                 query->kind == (is_low ? QUERY_SUP : QUERY_INF)))
    return text_refuse(why, "%s", none);
  bounds_print(shown, is_low ? QUERY_INF : QUERY_SUP,
               &(ValueBounds){.value = value,
                              .found = true,
                              .is_infinite = grows,
                              .low_strict = is_strict,
                              .high_strict = is_strict,
                              .low = bound,
                              .high = bound});
  if (!is_said(stored, query->kind, text_chars(shown)))
    return text_refuse(why, "it does not say of the values what it shows");
  if (!grows)
    print_reached(shown, value, bound, is_low);
  if (grows)
    return check_growth(e, arena, query, value, &stored->run, why);
  if (!scale_bound(e, value, &bound))
    return text_refuse(why, "%s", none);
  if (!knows_values(e, is_strict, why))
    return false;
  const Expr *test = valueclaims_near(arena, query, value, bound, is_low, is_strict);
  return build_value_goal(e, arena, query, test, &goal) &&
         replay_run(e->mem, e->net, &goal, &stored->run, why);
}

static bool is_universal(const Query *query) {
  return query->kind == QUERY_INVARIANT || query->kind == QUERY_EVENTUALLY ||
         query->kind == QUERY_LEADS_TO;
}

// A run breaks a query about all runs, and shows one about some run: the file must not say the
// opposite.
static bool is_verdict_shown(const StoredRun *stored, const Query *query, Text *why) {
  const char *opposite = is_universal(query) ? "satisfied" : "not satisfied";
  if (!stored->verdict || strcmp(stored->verdict, opposite) != 0)
    return true;
  return text_refuse(why, "the file says that the query is %s, and the run shows the opposite",
                     opposite);
}

// What an accepted run shows, in the arena. Of extreme values it shows one side of one only.
static const char *run_verdict(Evidence *e, const Query *query, const Text *shown) {
  if (!is_extreme(query))
    return is_universal(query) ? "not satisfied" : "satisfied";
  Text text = {.mem = e->mem};
  text_addf(&text, "answered in part, by a run (%s)", text_chars(shown));
  return text_chars(&text);
}

static int check_run(Evidence *e, const StoredRun *stored, const Asked *asked) {
  const Query *query = &asked->query;
  const Goal *goal = &asked->goal;
  Arena *arena = &e->arena;
  Text why = {.mem = e->mem}, shown = {.mem = e->mem};
  e->net = with_twin(e, asked->net);
  bool accepted =
      stored->query && !is_verdict_shown(stored, query, &why) ? false
      : stored->query && is_lasso(query) ? check_lasso(e, arena, query, goal, &stored->run, &why)
      : stored->query && is_extreme(query)
          ? check_value(e, arena, query, stored, &shown, &why)
          : replay_run(e->mem, e->net, stored->query ? goal : NULL, &stored->run, &why);
  accepted = do_agree(e, &why) && accepted;
  if (report_failed(e->report))
    return -1;
  add_query(e->finding, stored->query ? stored->query : "a run");
  if (accepted)
    text_addf(e->finding, "the run of %u steps is accepted\n", stored->run.step_count - 1);
  else
    text_addf(e->finding, "the run is rejected: %s\n", text_chars(&why));
  if (stored->query)
    certify(e, stored->query, run_verdict(e, query, &shown), "run",
            accepted ? NULL : text_chars(&why));
  return accepted;
}

// Whether it was made for this model. Older files do not say.
static bool is_of_model(Evidence *e, const CertificateHead *head, Text *why) {
  if (!head->hash)
    return true;
  const unsigned char *hash = model_hash(e);
  if (!memcmp(hash, head->hash, SHA256_SIZE))
    return true;
  text_add(why, "it is one for another model, with the hash ");
  sha256_print(why, head->hash);
  text_add(why, "; that of this one is ");
  sha256_print(why, hash);
  return false;
}

// The run of a claim in a section names the value and the side that it shows, as in `0 high`.
static bool shows_claim(Evidence *e, const Asked *asked, const CertificateClaim *claims,
                        const StoredRun *stored, uint32_t index, const char *side, Text *why) {
  const Query *query = &asked->query;
  char wanted[40];
  Goal goal;
  snprintf(wanted, sizeof wanted, "%u %s", index, side);
  if (!stored->values || strcmp(stored->values, wanted) != 0 || stored->net != e->net)
    return false;
  text_clear(why);
  if (!strcmp(side, "grows"))
    return check_growth(e, &e->arena, query, query->values[index], &stored->run, why);
  const Expr *shown =
      valueclaims_shown(&e->arena, query, index, &claims[index], !strcmp(side, "low"));
  return build_value_goal(e, &e->arena, query, shown, &goal) &&
         replay_run(e->mem, e->net, &goal, &stored->run, why);
}

// The net of such runs is that of the query.
static const Net *net_of_claims(void *evidence, const StoredRun *stored) {
  (void)stored;
  return ((Evidence *)evidence)->net;
}

// Whether the section of runs shows each side of each claim.
static bool are_claims_shown(Evidence *e, const Asked *asked, const CertificateClaim *claims,
                             const Source *source, const CertifyCounts *counts, Text *why) {
  static const char *const sides[] = {"low", "high", "grows"};
  static const unsigned bits[] = {CERTIFY_LOW, CERTIFY_HIGH, CERTIFY_GROWS};
  size_t size = 0;
  const char *chars =
      certificate_section(source->text, source->size, counts, CERTIFY_RUNS, &size);
  const Source section = {.name = source->name, .text = chars, .size = size};
  StoredRuns runs = {0};
  unsigned any = 0;
  for (uint32_t i = 0; i < asked->query.value_count; i++)
    any |= claims[i].is & (CERTIFY_LOW | CERTIFY_HIGH | CERTIFY_GROWS);
  bool ok = !any || (chars && run_read(&runs, &e->arena, net_of_claims, e, &section, e->report));
  for (uint32_t i = 0; ok && i < asked->query.value_count; i++)
    for (int side = 0; ok && side < 3; side++) {
      ok = !(claims[i].is & bits[side]);
      for (uint32_t r = 0; r < runs.size && !ok; r++)
        ok = shows_claim(e, asked, claims, &runs.items[r], i, sides[side], why);
    }
  if (!ok && !why->size)
    text_add(why, "a value is not shown by a run");
  return ok;
}

// What a certificate of extreme values claims, in the arena. NULL with the reason.
static const CertificateClaim *read_claims(Evidence *e, const Asked *asked, const Source *source,
                                           const CertificateHead *head, Text *why) {
  const Query *query = &asked->query;
  CertificateClaim *claims = ARENA_ARRAY(&e->arena, CertificateClaim, query->value_count + 1);
  bool ok = head->features & CERTIFY_VALUES && head->claim_count == query->value_count;
  for (uint32_t i = 0; ok && i < query->value_count; i++) {
    claims[i] = certificate_claim(head, source->text, source->size, i);
    ok = valueclaims_answers(query, i, &claims[i]);
  }
  if (!ok)
    text_add(why, "what it claims does not answer the query");
  return ok && knows_values(e, true, why) ? claims : NULL;
}

// Extreme values: nothing lies beyond them, and runs come to them.
static bool check_values(Evidence *e, const Source *source, const CertificateHead *head,
                         const Asked *asked, CertifyCounts *counts, Text *shown, Text *why) {
  const Query *query = &asked->query;
  const CertificateClaim *claims = read_claims(e, asked, source, head, why);
  const Expr *beyond = claims ? valueclaims_contradiction(&e->arena, query, claims) : NULL;
  Goal goal;
  if (claims && !beyond)
    text_add(why, "it claims nothing of all states");
  if (!beyond || !build_value_goal(e, &e->arena, query, beyond, &goal) ||
      !certify_check(e->mem, e->net, &goal, source->text, source->size, counts, why) ||
      !are_claims_shown(e, asked, claims, source, counts, why))
    return false;
  for (uint32_t i = 0; i < query->value_count; i++) {
    ValueBounds bounds = valueclaims_bounds(query, i, &claims[i]);
    bounds.unit = bounds.is_clock ? net_unit(e->net) : 1;
    text_add(shown, i ? "; " : "");
    bounds_print(shown, query->kind, &bounds);
  }
  return true;
}

static void add_untaken(Text *list, uint32_t *count, const Net *net, CoverGoal goal,
                        const CoverItem *item) {
  ++*count;
  text_add(list, "  ");
  cover_name(list, net, goal, item);
  text_add_char(list, '\n');
}

// A certificate of all states: which edges no run takes, which pairs of consecutive edges of a
// process if it is about these. They are listed after the finding.
static bool check_all_states(Evidence *e, const Source *source, const CertificateHead *head,
                             CertifyCounts *counts, Text *shown, Text *list, Text *why) {
  const Net *net = e->net;
  const bool is_marked = head->features & CERTIFY_MARKED;
  Taken taken;
  int32_t size = 0;
  uint32_t count = 0;
  if (is_marked && head->process >= net->processes.size)
    return text_refuse(why, "it is about another process than the model has");
  const int32_t *own = is_marked ? marking_numbers(&e->arena, net, head->process, &size) : NULL;
  const bool ok = (is_marked ? taken_find_pairs : taken_find)(
      &taken, e->mem, net, own, size, source->text, source->size, counts, why);
  for (EdgeId b = 0; ok && b < net->edges.size; b++) {
    if (!is_marked && !taken_has(&taken, NET_NONE, b))
      add_untaken(list, &count, net, COVER_EDGES, &(CoverItem){.edge = b});
    for (EdgeId a = 0; is_marked && own[b] && a < net->edges.size; a++)
      if (own[a] && net->edges.items[a].target == net->edges.items[b].source &&
          !taken_has(&taken, a, b))
        add_untaken(list, &count, net, COVER_PAIRS, &(CoverItem){.before = a, .edge = b});
  }
  text_add(shown, "no run leaves it");
  if (count == 1)
    text_addf(shown, " or takes the %s below", is_marked ? "pair of edges" : "edge");
  else if (count)
    text_addf(shown, " or takes the %u %s below", count, is_marked ? "pairs of edges" : "edges");
  return ok;
}

// The net with one clock more, which nothing uses.
static const Net *measured(Evidence *e) {
  Net *timed = ARENA_NEW(&e->arena, Net);
  net_measure(timed, e->net, &e->arena);
  return timed;
}

// A certificate for a query that was read; with an error in the report it is false, too. `shown`
// is what it proves, in words.
static bool check_opened(Evidence *e, const Source *source, const CertificateHead *head,
                         const Asked *asked, CertifyCounts *counts, Text *shown, Text *list,
                         Text *why) {
  const Query *query = &asked->query;
  const bool has_query = head->kind != CERTIFY_ALL, is_live = has_query && is_lasso(query);
  const bool diverges = head->features & CERTIFY_DIVERGES;
  LassoClaim claim;
  if (!is_of_model(e, head, why))
    return false;
  if (has_query && is_extreme(query))
    return check_values(e, source, head, asked, counts, shown, why);
  if (head->features & (has_query ? CERTIFY_VALUES | CERTIFY_MARKED : CERTIFY_VALUES))
    return text_refuse(why, "it is a certificate for another kind of query");
  if (!has_query && !(head->features & (CERTIFY_RENAMED | CERTIFY_POINTS | CERTIFY_REDUCED |
                                        CERTIFY_FORGETS | CERTIFY_SLICED)))
    return check_all_states(e, source, head, counts, shown, list, why);
  text_addf(shown, "no run %s%s", diverges ? "in which time diverges " : "",
            !has_query            ? "leaves it"
            : is_universal(query) ? "breaks it"
                                  : "shows it");
  if (is_live)
    return read_claim(e, &e->arena, query, &asked->goal, &claim) &&
           certify_check_live(e->mem, diverges ? measured(e) : e->net, &claim, source->text,
                              source->size, counts, why);
  return certify_check(e->mem, e->net, has_query ? &asked->goal : NULL, source->text,
                       source->size, counts, why);
}

static bool has_certificates(const Query *query) {
  return query->kind == QUERY_REACH || query->kind == QUERY_INVARIANT || is_lasso(query) ||
         is_extreme(query);
}

// What an accepted certificate shows, in the arena. `shown` is what it says of extreme values.
static const char *proof_verdict(Evidence *e, const Query *query, const Text *shown) {
  if (!query)
    return "no transition leaves the listed states";
  if (e->features & CERTIFY_DIVERGES)
    return is_universal(query) ? "satisfied by all runs in which time diverges"
                               : "not satisfied by any run in which time diverges";
  if (!is_extreme(query))
    return is_universal(query) ? "satisfied" : "not satisfied";
  Text text = {.mem = e->mem};
  text_addf(&text, "answered: %s", text_chars(shown));
  return text_chars(&text);
}

static int check_proof(Evidence *e, const Source *source) {
  CertificateHead head;
  CertifyCounts counts;
  Asked asked = {0};
  Text why = {.mem = e->mem}, shown = {.mem = e->mem}, list = {.mem = e->mem};
  if (!certificate_head(&head, source->text, source->size, &why)) {
    report_error(e->report, (Place){0}, "%s: %s", source->name, text_chars(&why));
    return -1;
  }
  const char *query = arena_text(&e->arena, head.query, head.query_size);
  const bool has_query = head.kind != CERTIFY_ALL;
  if (!read_asked(e, has_query ? query : NULL, head.kind == CERTIFY_LABELS, &asked))
    return -1;
  e->net = with_twin(e, asked.net);
  e->features = head.features;
  if (has_query && !has_certificates(&asked.query)) {
    report_error(e->report, (Place){0}, "%s: there are no certificates of such queries",
                 source->name);
    return -1;
  }
  bool accepted = check_opened(e, source, &head, &asked, &counts, &shown, &list, &why);
  accepted = do_agree(e, &why) && accepted;
  const bool failed = report_failed(e->report);
  if (!failed)
    add_query(e->finding, has_query ? query : "all states");
  if (!failed && accepted)
    text_addf(e->finding, "the certificate is accepted: %s; %u states, %u nodes\n%s",
              text_chars(&shown), counts.states, counts.nodes, text_chars(&list));
  else if (!failed)
    text_addf(e->finding, "the certificate is rejected: %s\n", text_chars(&why));
  if (!failed)
    certify(e, has_query ? query : NULL,
            proof_verdict(e, has_query ? &asked.query : NULL, &shown), "certificate",
            accepted ? NULL : text_chars(&why));
  return failed ? -1 : accepted;
}

int evidence_check(Mem *owner, const Net *net, const Source *source, Text *finding,
                   EvidenceKeep keep, Report *report) {
  Mem *mem = mem_part(owner);
  Evidence e = {.mem = mem,
                .certified = keep.certified,
                .model = keep.model,
                .file = source->name,
                .arena = {.mem = mem},
                .units = {.net = net},
                .finding = finding,
                .report = report};
  StoredRuns runs = {0};
  int result = 1;
  if (certificate_is_one(source->text, source->size))
    result = check_proof(&e, source);
  else if (!run_read(&runs, &e.arena, net_of, &e, source, report))
    result = -1;
  for (uint32_t i = 0; result > 0 && i < runs.size; i++)
    result = check_run(&e, &runs.items[i], &e.asked.items[i]);
  units_release(&e.units);
  mem_release_part(mem);
  return result;
}
