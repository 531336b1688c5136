#include "plan/service/mcp.h"

#include "language/format.h"
#include "language/uppaal/query_file.h"
#include "plan/service/mcp_lists.h"
#include "plan/service/service_document.h"
#include "plan/service/service_json.h"

#include <stdlib.h>
#include <string.h>

enum {
  INVALID_PARAMS = -32602,
  NO_METHOD = -32601,
  NO_RESOURCE = -32002,
  MAX_QUERIES = 1000,
  MAX_TEXT = 8 << 20
};

static const char *const versions[] = {"2025-06-18", "2025-03-26",
                                       "2024-11-05"}; // the newest first

static const char *text_of(const json_t *object, const char *key) {
  return json_string_value(json_object_get(object, key));
}

static json_t *initialize(const json_t *params) {
  const char *wanted = text_of(params, "protocolVersion"), *version = versions[0];
  for (size_t i = 0; wanted && i < sizeof versions / sizeof *versions; i++)
    version = strcmp(versions[i], wanted) ? version : versions[i];
  return json_pack(
      "{s:s, s:{s:{}, s:{}}, s:{s:s, s:s}, s:s}", "protocolVersion", version, "capabilities",
      "tools", "resources", "serverInfo", "name", "tarn", "version", TARN_VERSION, "instructions",
      "Model checking of networks of timed automata. Write a model (UPPAAL's .xta or "
      ".xml, TChecker's .tck), check it, read the mistakes with their places, and "
      "ask queries. The guides are resources.");
}

// What a call is about: a model or queries, given as text or by path.
typedef struct Subject {
  Mem mem;
  Source source;
  ServiceDocument *document;
  Arena arena;
  VEC(const char *) queries; // up to NULL
} Subject;

static const char *guess(const char *text) {
  const char *at = text + strspn(text, " \t\r\n");
  return *at == '<' ? "xml" : !strncmp(at, "system:", 7) || !strncmp(at, "#", 1) ? "tck" : "xta";
}

// Another file of the model is never looked for by the reader.
static bool find_none(void *state, const char *path, Mem *mem, Source *source) {
  (void)state, (void)path, (void)mem, (void)source;
  return false;
}

static bool stops(void *state) { return service_work_stops(state, 0); }

static const char *begin(Subject *s, const Mcp *mcp, ServiceWork *work, const json_t *arguments) {
  const char *path = text_of(arguments, "path"), *format = text_of(arguments, "format");
  const json_t *text = json_object_get(arguments, "text");
  const char *why;
  if (!path == !json_is_string(text))
    return "give either `path` or `text`";
  if (format && strcmp(format, "xta") && strcmp(format, "xml") && strcmp(format, "tck") &&
      strcmp(format, "q"))
    return "`format` is xta, xml, tck or q";
  if (path) {
    if (!mcp_files_read(&mcp->files, path, &s->mem, &s->source, &why))
      return why;
  } else {
    Text name = {.mem = &s->mem};
    text_addf(&name, "model.%s", format ? format : guess(json_string_value(text)));
    s->source = (Source){
        .name = mem_copy_text(&s->mem, text_chars(&name), name.size),
        .text = mem_copy_text(&s->mem, json_string_value(text), json_string_length(text)),
        .size = json_string_length(text)};
  }
  if (s->source.size > MAX_TEXT)
    return "it is larger than 8 MiB";
  s->document = service_document_open(s->source.name, s->source.text, s->source.size);
  if (!s->document)
    return "out of memory";
  service_document_read(s->document, find_none, stops, work);
  return NULL;
}

static void end(Subject *s) {
  if (s->document)
    service_document_close(s->document);
  mem_release(&s->mem);
}

static json_t *mistakes(const ServiceDocument *d, bool *has_errors) {
  json_t *list = json_array();
  *has_errors = false;
  for (uint32_t i = 0; i < d->messages.size; i++) {
    const Message *message = &d->messages.items[i];
    uint32_t offset = service_names_offset(&d->names, message->place);
    offset = offset == UINT32_MAX ? 0 : offset;
    const uint32_t k = service_names_at(&d->names, offset);
    const uint32_t length = k != UINT32_MAX && d->names.tokens.items[k].offset == offset
                                ? d->names.tokens.items[k].length
                                : 1;
    const ServicePosition a = service_text_position(&d->text, offset),
                          b = service_text_position(&d->text, offset + length);
    json_array_append_new(list,
                          json_pack("{s:i, s:i, s:i, s:i, s:s, s:o}", "line", (int)a.line + 1,
                                    "column", (int)a.character + 1, "end_line", (int)b.line + 1,
                                    "end_column", (int)b.character + 1, "severity",
                                    message->is_warning ? "warning" : "error", "message",
                                    service_json_text(message->text, strlen(message->text))));
    *has_errors |= !message->is_warning;
  }
  return list;
}

static void add_queries(Subject *s, const QueryNode *q) {
  for (; q && s->queries.size < MAX_QUERIES; q = q->next) {
    Text bare = {.mem = &s->mem};
    query_file_bare(&bare, mem_copy_text(&s->mem, q->source->text + q->begin, q->end - q->begin));
    vec_push(&s->mem, &s->queries, text_chars(&bare));
  }
}

// Those of the call, of the model, or of the .q file beside it.
static const char *find_queries(Subject *s, const Mcp *mcp, const json_t *arguments) {
  const json_t *given = json_object_get(arguments, "queries");
  const char *path = text_of(arguments, "path"), *dot = path ? strrchr(path, '.') : NULL, *why;
  size_t i;
  json_t *query;
  if (given && !json_is_array(given))
    return "`queries` is a list of texts";
  json_array_foreach(given, i, query) {
    if (!json_is_string(query) || i >= MAX_QUERIES)
      return "`queries` is a list of at most 1000 texts";
    vec_push(&s->mem, &s->queries,
             mem_copy_text(&s->mem, json_string_value(query), json_string_length(query)));
  }
  if (!given)
    add_queries(s, s->document->queries);
  if (!given && !s->queries.size && dot && !strchr(dot, '/')) {
    Text name = {.mem = &s->mem};
    Source file;
    text_add_bytes(&name, path, (size_t)(dot - path));
    text_add(&name, ".q");
    s->arena.mem = &s->mem;
    if (mcp_files_read(&mcp->files, text_chars(&name), &s->mem, &file, &why))
      add_queries(s, query_file_split(&s->arena, &file, s->document->language == SERVICE_UPPAAL));
  }
  vec_push(&s->mem, &s->queries, NULL);
  return NULL;
}

static json_t *format_tool(Subject *s) {
  Text text = {.mem = &s->mem};
  Report report;
  report_init(&report, &s->mem);
  if (!format_text(&text, &s->source, &report))
    return json_object();
  const bool is_same =
      text.size == s->source.size && !memcmp(text_chars(&text), s->source.text, text.size);
  return json_pack("{s:o, s:b}", "text", service_json_text(text_chars(&text), text.size),
                   "is_changed", !is_same);
}

static int stops_run(void *state, double visited) { return service_work_stops(state, visited); }

static json_t *run_tool(Mcp *mcp, ServiceWork *work, Subject *s, const char *tool,
                        const json_t *arguments) {
  McpCall call = {.tool = tool,
                  .name = s->source.name,
                  .text = s->source.text,
                  .size = s->source.size,
                  .queries = s->queries.items,
                  .arguments = arguments,
                  .limits = mcp->limits,
                  .state = work,
                  .stop = stops_run};
  const double wanted = json_number_value(json_object_get(arguments, "time_limit"));
  if (wanted > 0 && wanted < call.limits.seconds)
    call.limits.seconds = wanted;
  json_t *result = mcp->run(&call);
  return result ? result : json_pack("{s:s}", "error", "out of memory");
}

// An answer that is too large is left out, and says so. It holds the result twice: as JSON and,
// for clients that know no other, as a text.
static json_t *tool_result(const Mcp *mcp, json_t *result, bool is_error) {
  char *text = json_dumps(result, JSON_COMPACT);
  const size_t size = text ? strlen(text) : 0;
  if (size > mcp->limits.bytes / 2) {
    json_t *list = json_incref(json_object_get(result, "mistakes"));
    if (json_array_size(list) > 100) {
      json_decref(list);
      list = json_array();
    }
    json_decref(result);
    result = json_pack("{s:o, s:s}", "mistakes", list, "cut",
                       "the answer is larger than the limit of the server: ask for less");
    free(text);
    text = json_dumps(result, JSON_COMPACT);
  }
  json_t *answer =
      json_pack("{s:[{s:s, s:s}], s:o, s:b}", "content", "type", "text", "text",
                text ? text : "{}", "structuredContent", result, "isError", is_error);
  free(text);
  return answer;
}

static json_t *tool_error(const char *why) {
  return json_pack("{s:[{s:s, s:s}], s:b}", "content", "type", "text", "text", why, "isError", 1);
}

static json_t *call_tool(Mcp *mcp, ServiceWork *work, const char *tool, const json_t *arguments) {
  Subject s = {.mem = {.limit = (size_t)mcp->limits.mib << 20}};
  jmp_buf escape;
  json_t *volatile answer = NULL;
  s.mem.escape = &escape;
  if (setjmp(escape)) {
    answer = tool_error("this takes more memory than the server allows");
  } else {
    const bool is_format = !strcmp(tool, "format");
    bool has_errors = false;
    const char *why = begin(&s, mcp, work, arguments);
    if (!why && !is_format)
      why = find_queries(&s, mcp, arguments);
    if (!why && !is_format && text_ends_with(s.source.name, ".q"))
      why = "a model is needed here, not queries";
    if (why) {
      answer = tool_error(why);
    } else {
      json_t *list = mistakes(s.document, &has_errors);
      json_t *result = is_format    ? format_tool(&s)
                       : has_errors ? json_object()
                                    : run_tool(mcp, work, &s, tool, arguments);
      json_object_set_new(result, "mistakes", list);
      answer = tool_result(mcp, result, json_object_get(result, "error") != NULL);
    }
  }
  end(&s);
  return answer;
}

static json_t *read_resource(const char *uri) {
  Mem mem = {0};
  Text text = {.mem = &mem};
  const char *type = uri ? mcp_resource(&text, uri) : NULL;
  json_t *result = type ? json_pack("{s:[{s:s, s:s, s:s}]}", "contents", "uri", uri, "mimeType",
                                    type, "text", text_chars(&text))
                        : NULL;
  mem_release(&mem);
  return result;
}

static bool is_tool(const char *name) {
  json_t *list = mcp_tools();
  size_t i;
  json_t *tool;
  bool found = false;
  json_array_foreach(json_object_get(list, "tools"), i, tool) found |=
      name && !strcmp(name, text_of(tool, "name"));
  json_decref(list);
  return found;
}

json_t *mcp_answer(Mcp *mcp, ServiceWork *work, const char *method, const json_t *params,
                   int *code, const char **why) {
  *code = NO_METHOD;
  *why = "there is no such method";
  if (!strcmp(method, "initialize"))
    return initialize(params);
  if (!strcmp(method, "ping"))
    return json_object();
  if (!strcmp(method, "tools/list"))
    return mcp_tools();
  if (!strcmp(method, "resources/list"))
    return mcp_resources();
  if (!strcmp(method, "resources/templates/list"))
    return json_pack("{s:[]}", "resourceTemplates");
  if (!strcmp(method, "resources/read")) {
    *code = text_of(params, "uri") ? NO_RESOURCE : INVALID_PARAMS;
    *why = text_of(params, "uri") ? "there is no such resource" : "`uri` is missing";
    return read_resource(text_of(params, "uri"));
  }
  if (strcmp(method, "tools/call") != 0)
    return NULL;
  *code = INVALID_PARAMS;
  *why = "there is no such tool";
  const char *name = text_of(params, "name");
  if (!is_tool(name))
    return NULL;
  json_t *token = json_object_get(json_object_get(params, "_meta"), "progressToken");
  work->is_mcp = true;
  service_work_tell(work, token, name);
  return call_tool(mcp, work, name, json_object_get(params, "arguments"));
}
