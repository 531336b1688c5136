#include "language/uppaal/uppaal.h"

#include "language/uppaal/language.h"
#include "language/uppaal/xml.h"

#include <string.h>

// XML begins with `<`. In UTF-16 there is a mark before it, and a zero beside it.
static bool is_xml(const Source *source) {
  if (source->size >= 4 &&
      (!memcmp(source->text, "\xff\xfe<", 4) || !memcmp(source->text, "\xfe\xff\0<", 4)))
    return true;
  const size_t at = report_text_begin(source);
  const size_t blank = strspn(source->text + at, " \t\r\n");
  return at + blank < source->size && source->text[at + blank] == '<';
}

// The first word that both languages have tells them apart: TChecker's has a colon behind it.
bool uppaal_is_model(const Source *source) {
  static const char *const words[] = {"system", "process", "event", "clock", "int"};
  const size_t name = strlen(source->name);
  if (is_xml(source))
    return true;
  if (name > 4 && !strcmp(source->name + name - 4, ".tck"))
    return false;
  const char *text = source->text;
  for (size_t i = report_text_begin(source); i < source->size;) {
    i += strspn(text + i, " \t\r\n");
    if (!strncmp(text + i, "//", 2) || text[i] == '#') {
      if (text[i] == '/')
        return true;
      i += strcspn(text + i, "\n");
      continue;
    }
    if (!strncmp(text + i, "/*", 2))
      return true;
    for (uint32_t k = 0; k < sizeof words / sizeof *words; k++) {
      const size_t length = strlen(words[k]);
      if (strncmp(text + i, words[k], length) != 0)
        continue;
      const size_t after = i + length + strspn(text + i + length, " \t");
      if (text[after] == ':')
        return false;
    }
    return i < source->size && text[i] != '\0';
  }
  return false;
}

// One attempt, in the present or the old syntax.
static bool parse(Uppaal *uppaal, Arena *arena, const Source *source, bool is_old,
                  Report *report) {
  Parser parser = {.arena = arena, .report = report, .names = &uppaal->names, .is_old = is_old};
  uppaal->document = (Document){.name = source->name, .system_place = {source, 0}};
  parser.damage = &uppaal->document.damage;
  uppaal->document.is_xml = is_xml(source);
  if (uppaal->document.is_xml) {
    xml_read(&parser, &uppaal->document, source);
  } else {
    parser.is_text = true;
    parser_begin(&parser, source, report_text_begin(source), (uint32_t)source->size, TOKEN_MODEL);
    parse_text(&parser, &uppaal->document);
    parser_end(&parser);
  }
  return !report_failed(report);
}

// The syntax is not said in the file: what is wrong in the present one may be right in the old.
static bool parse_either(Uppaal *uppaal, Arena *arena, const Source *source, Report *report) {
  Report first, second;
  report_init(&first, arena->mem);
  report_init(&second, arena->mem);
  const uint32_t listed = report->list ? report->list->size : 0;
  first.list = report->list;
  bool ok = parse(uppaal, arena, source, false, &first);
  const Document present = uppaal->document;
  if (!ok && parse(uppaal, arena, source, true, &second)) {
    ok = true;
    report_cut(&first, listed);
  } else if (!ok) {
    uppaal->document = present;
    text_add(&report->error, text_chars(&first.error));
    report->error_count = first.error_count;
    report->shown_size = first.shown_size;
    report->last_error = first.last_error;
  }
  text_add(&report->warnings, text_chars(&first.warnings));
  report->warning_count += first.warning_count;
  report_release(&first);
  report_release(&second);
  return ok;
}

// One sentence for all that symbolic queries do not depend on.
static const char *ignored(const Elaborator *e, bool has_rates) {
  const struct {
    bool is_there;
    const char *what;
  } parts[] = {{e->document->has_rates, "exponential rates"},
               {e->document->has_weights, "probability weights"},
               {e->has_reals, "floating point variables"},
               {e->has_hybrids, "hybrid clocks"},
               {has_rates, "rates of clocks that nothing tests"}};
  uint32_t left = 0;
  for (uint32_t k = 0; k < sizeof parts / sizeof *parts; k++)
    left += parts[k].is_there;
  if (!left || e->failures)
    return NULL;
  Text text = {.mem = e->mem};
  text_addf(&text, "%s: ", e->document->name);
  for (uint32_t k = 0; k < sizeof parts / sizeof *parts; k++)
    if (parts[k].is_there)
      text_addf(&text, "%s%s", parts[k].what, --left > 1 ? ", " : left ? " and " : "");
  text_add(&text, " are ignored: they are for statistical queries");
  if (has_rates)
    text_add(&text, ". Runs show such a clock as if it always ran");
  return arena_keep(e->arena, &text);
}

static void keep_starts(Elaborator *e) {
  double *starts = ARENA_ARRAY(e->arena, double, e->starts.size + 1);
  if (e->starts.size)
    memcpy(starts + 1, e->starts.items, sizeof *starts * e->starts.size);
  e->making->clock_start = starts;
  vec_release(e->mem, &e->starts);
}

// What the model is, for symbolic queries or for statistical ones. Sets *obstacles if nothing but
// obstacles to symbolic queries was found.
static bool elaborate(Uppaal *uppaal, Net *net, bool is_full, bool *obstacles, Report *report) {
  Elaborator e = {.is_full = is_full,
                  .net = net,
                  .making = net,
                  .mem = net->mem,
                  .arena = &net->arena,
                  .report = report,
                  .document = &uppaal->document};
  e.globals = scope_new(e.arena, NULL, 1024);
  e.system = scope_new(e.arena, e.globals, 256);
  e.processes = scope_new(e.arena, e.system, 256);
  uppaal->globals = e.globals;
  uppaal->system = e.system;
  uppaal->processes = e.processes;
  elab_begin_defining(&e);
  elab_system(&e);
  net->reading.is_statistical = is_full;
  if (is_full)
    keep_starts(&e);
  else {
    net->origin.ignored = ignored(&e, e.has_ignored_rates || e.has_unread_rates);
    net->origin.ignored_if_read = ignored(&e, e.has_ignored_rates);
  }
  *obstacles = e.failures && e.failures == e.obstacles;
  uppaal->is_rated = e.is_rated;
  net->origin.scalar_sets = e.scalar_sets;
  elab_end_defining(&e);
  Place *idle = ARENA_ARRAY(&net->arena, Place, e.warned.size);
  if (e.warned.size)
    memcpy(idle, e.warned.items, sizeof *idle * e.warned.size);
  net->origin.idle = idle;
  net->origin.idle_count = e.warned.size;
  vec_release(e.mem, &e.reported);
  vec_release(e.mem, &e.warned);
  vec_release(e.mem, &e.codes);
  return !e.failures;
}

static const char *model_name(Arena *arena, const char *path) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  const char *dot = strrchr(name, '.');
  const char *stem =
      arena_text(arena, name, dot && dot > name ? (size_t)(dot - name) : strlen(name));
  Text text = {.mem = arena->mem};
  text_add_utf8(&text, stem); // JSON and XML have no other names
  return arena_keep(arena, &text);
}

// Makes the net for symbolic queries. If these cannot have the model, and statistical ones can,
// makes the net for those; NetOrigin.obstacles says why.
static bool make_net(Uppaal *uppaal, Net *net, Report *report) {
  Report symbolic;
  bool has_obstacles;
  report_init(&symbolic, net->mem);
  const uint32_t listed = report->list ? report->list->size : 0;
  symbolic.list = report->list;
  bool ok = elaborate(uppaal, net, false, &has_obstacles, &symbolic);
  if (has_obstacles) {
    const NetOrigin origin = net->origin;
    Report unused;
    report_init(&unused, net->mem);
    net_clear(net);
    net->origin = origin;
    net->invalid_is_error = true;
    ok = elaborate(uppaal, net, true, &has_obstacles, &unused) && net_finish(net, &unused);
    if (ok) {
      net->origin.obstacles =
          arena_text(&net->arena, text_chars(&symbolic.error), symbolic.error.size);
      report_cut(&symbolic, listed);
      text_clear(&symbolic.warnings); // those that matter are of the net that there is
      text_add(&symbolic.warnings, text_chars(&unused.warnings));
      symbolic.warning_count = unused.warning_count;
    }
    report_release(&unused);
  }
  if (!ok)
    text_add(&report->error, text_chars(&symbolic.error));
  text_add(&report->warnings, text_chars(&symbolic.warnings));
  report->warning_count += symbolic.warning_count;
  report_release(&symbolic);
  return ok && (net->reading.is_statistical || net_finish(net, report));
}

bool uppaal_read(Net *net, const Source *source, Report *report) {
  if (source->size >= UINT32_MAX)
    return report_error(report, (Place){0}, "%s: models of 4 GiB and more are not supported",
                        source->name);
  Uppaal *uppaal = ARENA_NEW(&net->arena, Uppaal);
  uppaal->net = net;
  names_init(&uppaal->names, &net->arena);
  net->origin.name = model_name(&net->arena, source->name);
  net->origin.place = (Place){source, 0};
  net->invalid_is_error = true;
  net->origin.uppaal = uppaal;
  net->origin.document = &uppaal->document;
  if (parse_either(uppaal, &net->arena, source, report))
    return make_net(uppaal, net, report);
  bool has_obstacles; // mistakes of syntax do not hide those of meaning
  elaborate(uppaal, net, false, &has_obstacles, report);
  return false;
}

const Net *uppaal_statistical(const Net *of, Arena *arena, Report *report) {
  const Uppaal *uppaal = of->origin.uppaal;
  if (uppaal->net->reading.is_statistical)
    return uppaal->net;
  Net *net = ARENA_NEW(arena, Net);
  Uppaal *copy = ARENA_NEW(arena, Uppaal);
  net_init(net, arena->mem);
  net->arena = *arena; // it goes back when the net is made
  *copy = *uppaal;
  copy->net = net;
  net->origin = uppaal->net->origin;
  net->origin.attributes = (Attributes){0};
  net->origin.uppaal = copy;
  net->invalid_is_error = true;
  bool obstacles;
  const bool ok = elaborate(copy, net, true, &obstacles, report) && net_finish(net, report);
  if (ok)
    net_settle(net);
  else
    net_clear(net);
  *arena = net->arena;
  return ok ? net : NULL;
}

const QueryNode *uppaal_queries(const Net *net) { return net->origin.uppaal->document.queries; }

const Document *uppaal_document(const Net *net) {
  return net->origin.uppaal ? &net->origin.uppaal->document : NULL;
}

const TemplateNode *uppaal_template(const Net *net, ProcessId process) {
  const TemplateNode *t = net->origin.uppaal ? net->origin.uppaal->document.templates : NULL;
  while (t && t->name != net->processes.items[process].template_name)
    t = t->next;
  return t;
}
