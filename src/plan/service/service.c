#include "plan/service/service.h"

#include "language/source.h"
#include "language/uppaal/query_file.h"
#include "plan/service/mcp.h"
#include "plan/service/service_answers.h"
#include "plan/service/service_edits.h"
#include "plan/service/service_fixes.h"
#include "plan/service/service_json.h"
#include "plan/service/service_lint.h"
#include "plan/service/service_work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Numbers of JSON-RPC and of the protocol.
enum {
  PARSE_ERROR = -32700,
  INVALID_REQUEST = -32600,
  NO_METHOD = -32601,
  INVALID_PARAMS = -32602,
  NOT_INITIALIZED = -32002,
  REQUEST_CANCELLED = -32800,
  REQUEST_FAILED = -32803,
};

struct Service {
  ServiceCalls calls;
  ServiceDocument **documents;
  size_t count;
  bool is_initialized, is_shut_down;
  ServiceWork work;
  json_t *batch; // the answers to several messages that came as one; NULL: they did not
  char time_limit[24], memory_limit[24]; // of checks
  double max_seconds, max_mib;           // 0: any
};

static void send_json(void *state, json_t *message) {
  Service *s = state;
  if (s->batch && message && !json_object_get(message, "method")) {
    json_array_append_new(s->batch, message);
    return;
  }
  char *text = message ? json_dumps(message, JSON_COMPACT) : NULL;
  if (text)
    s->calls.send(s->calls.state, text, strlen(text));
  free(text);
  json_decref(message);
}

Service *service_new(const ServiceCalls *calls) {
  Service *s = calloc(1, sizeof *s);
  if (!s)
    return NULL;
  s->calls = *calls;
  s->work = (ServiceWork){.state = s, .send = send_json};
  strcpy(s->time_limit, "60");
  strcpy(s->memory_limit, "2048");
  return s;
}

void service_release(Service *s) {
  if (!s)
    return;
  for (size_t i = 0; i < s->count; i++)
    service_document_close(s->documents[i]);
  free(s->documents);
  service_work_release(&s->work);
  if (s->calls.end)
    s->calls.end(s->calls.desk);
  if (s->calls.mcp)
    mcp_files_close(&s->calls.mcp->files);
  free(s->calls.mcp);
  free(s);
}

void service_set_poll(Service *s, void *state, void (*poll)(void *state)) {
  s->work.poll_state = state;
  s->work.poll = poll;
}

void service_notice(Service *s, const char *message, size_t size) {
  service_work_notice(&s->work, message, size);
}

// Whether the reading of a document for a request can end.
static bool is_cancelled(void *state) {
  Service *s = state;
  return service_work_stops(&s->work, 0);
}

// Whether that for diagnostics can: there will be another text.
static bool is_superseded(void *state) {
  Service *s = state;
  return service_work_stops(&s->work, 0) || s->work.has_change;
}

static void send_notification(Service *s, const char *method, json_t *params) {
  send_json(s,
            json_pack("{s:s, s:s, s:o}", "jsonrpc", "2.0", "method", method, "params", params));
}

static void send_result(Service *s, json_t *id, json_t *result) {
  send_json(s, json_pack("{s:s, s:O, s:o}", "jsonrpc", "2.0", "id", id, "result",
                         result ? result : json_null()));
}

static void send_error(Service *s, json_t *id, int code, const char *text) {
  send_json(s, json_pack("{s:s, s:o, s:{s:i, s:s}}", "jsonrpc", "2.0", "id",
                         id ? json_incref(id) : json_null(), "error", "code", code, "message",
                         text));
}

// Documents.

static ServiceDocument *find_document(const Service *s, const char *uri, size_t *index) {
  for (size_t i = 0; uri && i < s->count; i++)
    if (!strcmp(s->documents[i]->uri, uri)) {
      if (index)
        *index = i;
      return s->documents[i];
    }
  return NULL;
}

static const char *text_of(const json_t *object, const char *key) {
  return json_string_value(json_object_get(object, key));
}

static const char *uri_of(const json_t *params) {
  return text_of(json_object_get(params, "textDocument"), "uri");
}

// An open document, or a file.
static bool find_model(void *state, const char *path, Mem *mem, Source *source) {
  const Service *s = state;
  for (size_t i = 0; i < s->count; i++)
    if (!strcmp(s->documents[i]->path, path)) {
      const Text *text = &s->documents[i]->text.text;
      *source = (Source){.name = mem_copy_text(mem, path, strlen(path)),
                         .text = mem_copy_text(mem, text_chars(text), text->size),
                         .size = text->size};
      return true;
    }
  FILE *file = fopen(path, "rb");
  if (!file)
    return false;
  fclose(file);
  Report report;
  report_init(&report, mem);
  const bool ok = source_read(source, mem, path, SOURCE_MAX_MODEL, &report);
  report_release(&report);
  return ok;
}

// The document that a request is about, read; NULL: it is not open.
static ServiceDocument *document_of(Service *s, const json_t *params) {
  ServiceDocument *d = find_document(s, uri_of(params), NULL);
  return d && service_document_read(d, find_model, is_cancelled, s) ? d : NULL;
}

static void did_open(Service *s, const json_t *params) {
  const json_t *document = json_object_get(params, "textDocument");
  const json_t *text = json_object_get(document, "text");
  const char *uri = uri_of(params);
  if (!uri || !json_is_string(text))
    return;
  ServiceDocument *d =
      service_document_open(uri, json_string_value(text), json_string_length(text));
  size_t index = s->count;
  if (!d)
    return;
  if (find_document(s, uri, &index)) {
    service_document_close(s->documents[index]);
  } else {
    ServiceDocument **grown = realloc(s->documents, sizeof *grown * (s->count + 1));
    if (!grown) {
      service_document_close(d);
      return;
    }
    s->documents = grown;
    s->count++;
  }
  s->documents[index] = d;
  d->version = json_integer_value(json_object_get(document, "version"));
}

// Queries depend on their models, so other documents are read again, too.
static void changed(Service *s, ServiceDocument *d) {
  service_document_changed(d);
  for (size_t i = 0; i < s->count; i++)
    if (s->documents[i]->language == SERVICE_QUERIES)
      service_document_changed(s->documents[i]);
}

static void did_change(Service *s, const json_t *params) {
  ServiceDocument *d = find_document(s, uri_of(params), NULL);
  size_t i;
  json_t *change;
  if (!d)
    return;
  json_array_foreach(json_object_get(params, "contentChanges"), i, change) {
    const json_t *text = json_object_get(change, "text"),
                 *range = json_object_get(change, "range");
    if (!json_is_string(text))
      continue;
    const char *chars = json_string_value(text);
    const size_t size = json_string_length(text);
    if (json_is_object(range))
      service_text_replace(
          &d->text,
          service_text_offset(&d->text, service_json_position(json_object_get(range, "start"))),
          service_text_offset(&d->text, service_json_position(json_object_get(range, "end"))),
          chars, size);
    else
      service_text_set(&d->text, &d->text_mem, chars, size);
  }
  d->version =
      json_integer_value(json_object_get(json_object_get(params, "textDocument"), "version"));
  changed(s, d);
}

static void publish(Service *s, const ServiceDocument *d, json_t *diagnostics) {
  send_notification(s, "textDocument/publishDiagnostics",
                    json_pack("{s:s, s:I, s:o}", "uri", d->uri, "version", d->version,
                              "diagnostics", diagnostics));
}

// A saved document is looked at by lint, too.
static void did_save(Service *s, const json_t *params) {
  ServiceDocument *d = find_document(s, uri_of(params), NULL);
  if (d) {
    d->is_saved = true;
    d->is_published = false;
  }
}

static void did_close(Service *s, const json_t *params) {
  size_t index;
  ServiceDocument *d = find_document(s, uri_of(params), &index);
  if (!d)
    return;
  publish(s, d, json_array());
  service_document_close(d);
  s->documents[index] = s->documents[--s->count];
}

bool service_waits(const Service *s) {
  for (size_t i = 0; i < s->count; i++)
    if (!s->documents[i]->is_published)
      return true;
  return false;
}

void service_idle(Service *s) {
  for (size_t i = 0; i < s->count; i++) {
    ServiceDocument *d = s->documents[i];
    if (d->is_published)
      continue;
    s->work.has_change = false;
    if (!service_document_read(d, find_model, is_superseded, s))
      return;
    if (d->is_saved)
      service_lint(d, is_superseded, s);
    d->is_saved = false;
    publish(s, d, service_diagnostics(d));
    d->is_published = true;
  }
}

// Requests.

static double least(double wanted, double max) { return max > 0 && wanted > max ? max : wanted; }

// `timeLimit` in seconds and `memoryLimit` in MiB, of checks.
static void set_limits(Service *s, const json_t *options) {
  const json_t *seconds = json_object_get(options, "timeLimit");
  const json_t *memory = json_object_get(options, "memoryLimit");
  if (json_is_number(seconds) && json_number_value(seconds) > 0 &&
      json_number_value(seconds) < 1e6)
    snprintf(s->time_limit, sizeof s->time_limit, "%.3f",
             least(json_number_value(seconds), s->max_seconds));
  if (json_is_number(memory) && json_number_value(memory) >= 1 && json_number_value(memory) < 1e9)
    snprintf(s->memory_limit, sizeof s->memory_limit, "%.0f",
             least(json_number_value(memory), s->max_mib));
}

static const char *const commands[] = {"tarn.check", "tarn.run", "tarn.page", "tarn.lint", NULL};

static json_t *names(const char *const *list) {
  json_t *array = json_array();
  for (; *list; list++)
    json_array_append_new(array, json_string(*list));
  return array;
}

void service_set_limits(Service *s, double seconds, unsigned mib) {
  s->max_seconds = seconds;
  s->max_mib = mib;
  snprintf(s->time_limit, sizeof s->time_limit, "%.3f",
           least(strtod(s->time_limit, NULL), seconds));
  snprintf(s->memory_limit, sizeof s->memory_limit, "%.0f",
           least(strtod(s->memory_limit, NULL), mib));
}

void *service_desk(const Service *s) { return s->calls.desk; }

static json_t *initialize(Service *s, const json_t *params) {
  const json_t *window = json_object_get(json_object_get(params, "capabilities"), "window");
  s->work.makes_tokens = json_is_true(json_object_get(window, "workDoneProgress"));
  set_limits(s, json_object_get(params, "initializationOptions"));
  static const char *const plain[] = {
      "documentSymbolProvider",    "definitionProvider",
      "referencesProvider",        "hoverProvider",
      "documentHighlightProvider", "documentFormattingProvider",
      "foldingRangeProvider",      "documentRangeFormattingProvider"};
  json_t *capabilities = json_pack(
      "{s:s, s:{s:b, s:i, s:b}, s:{s:[s]}, s:{s:[s, s]}, s:{s:b}, s:{s:{s:o, s:[s, s]}, s:b}, "
      "s:{s:b}, s:{s:[s]}, s:{s:o, s:b}}",
      "positionEncoding", "utf-16", "textDocumentSync", "openClose", 1, "change", 2, "save", 1,
      "completionProvider", "triggerCharacters", ".", "signatureHelpProvider",
      "triggerCharacters", "(", ",", "renameProvider", "prepareProvider", 1,
      "semanticTokensProvider", "legend", "tokenTypes", names(service_token_types),
      "tokenModifiers", "declaration", "readonly", "full", 1, "codeLensProvider",
      "resolveProvider", 0, "codeActionProvider", "codeActionKinds", "quickfix",
      "executeCommandProvider", "commands", names(commands), "workDoneProgress", 1);
  for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
    json_object_set_new(capabilities, plain[i], json_true());
  return json_pack("{s:o, s:{s:s, s:s}}", "capabilities", capabilities, "serverInfo", "name",
                   "tarn", "version", TARN_VERSION);
}

static json_t *prepare_rename(const ServiceDocument *d, uint32_t offset) {
  json_t *hover = d->language == SERVICE_QUERIES ? NULL : service_definition(d, offset);
  json_t *result = json_null();
  if (json_is_object(hover)) {
    json_t *name = service_hover(d, offset);
    result = json_incref(json_object_get(name, "range"));
    json_decref(name);
  }
  json_decref(hover);
  return result;
}

typedef json_t *WholeAnswer(const ServiceDocument *);
typedef json_t *PlaceAnswer(const ServiceDocument *, uint32_t offset);

static const struct {
  const char *method;
  WholeAnswer *whole;
  PlaceAnswer *place;
} answers[] = {
    {"textDocument/documentSymbol", service_symbols, NULL},
    {"textDocument/formatting", service_formatting, NULL},
    {"textDocument/foldingRange", service_folding, NULL},
    {"textDocument/semanticTokens/full", service_tokens, NULL},
    {"textDocument/codeLens", service_lenses, NULL},
    {"textDocument/diagnostic", service_report, NULL},
    {"textDocument/definition", NULL, service_definition},
    {"textDocument/documentHighlight", NULL, service_highlights},
    {"textDocument/hover", NULL, service_hover},
    {"textDocument/completion", NULL, service_completion},
    {"textDocument/signatureHelp", NULL, service_signature},
    {"textDocument/prepareRename", NULL, prepare_rename},
};

static int stops_check(void *state, double visited) {
  Service *s = state;
  return service_work_stops(&s->work, visited);
}

// The answer to a query of a document, which was read.
static json_t *check_query(Service *s, const ServiceDocument *d, const QueryNode *q,
                           const char *what) {
  const Source *model = d->language == SERVICE_QUERIES ? &d->model_source : &d->source;
  Mem mem = {0};
  Text bare = {.mem = &mem};
  query_file_bare(&bare, mem_copy_text(&mem, q->source->text + q->begin, q->end - q->begin));
  char *answer = s->calls.check(&(ServiceCheck){.name = model->name,
                                                .text = model->text,
                                                .query = text_chars(&bare),
                                                .what = what,
                                                .time_limit = s->time_limit,
                                                .memory_limit = s->memory_limit,
                                                .state = s,
                                                .stop = stops_check});
  mem_release(&mem);
  json_t *result = answer ? json_loads(answer, 0, NULL) : NULL;
  if (answer && !result)
    result = json_string(answer); // a page
  free(answer);
  return result;
}

static void execute(Service *s, json_t *id, const json_t *params) {
  const char *command = text_of(params, "command");
  const json_t *arguments = json_object_get(params, "arguments");
  const char *uri = json_string_value(json_array_get(arguments, 0));
  json_int_t number = json_integer_value(json_array_get(arguments, 1));
  ServiceDocument *d = find_document(s, uri, NULL);
  bool is_command = false;
  for (const char *const *name = commands; command && *name; name++)
    is_command |= !strcmp(command, *name);
  if (!is_command || !d || !s->calls.check) {
    send_error(s, id, INVALID_PARAMS,
               is_command ? "the document is not open" : "there is no such command");
    return;
  }
  if (!service_document_read(d, find_model, is_cancelled, s))
    return;
  if (!strcmp(command, "tarn.lint")) {
    service_lint(d, is_cancelled, s);
    publish(s, d, service_diagnostics(d));
    send_result(s, id, json_integer(d->findings.size));
    return;
  }
  const QueryNode *q = d->queries;
  while (q && number-- > 0)
    q = q->next;
  if (!q || (d->language == SERVICE_QUERIES && !d->model_source.text)) {
    send_error(s, id, INVALID_PARAMS,
               q ? "there is no model beside it" : "there is no such query");
    return;
  }
  service_work_tell(&s->work, json_object_get(params, "workDoneToken"),
                    !strcmp(command, "tarn.check") ? "tarn check" : "tarn run");
  json_t *result = check_query(s, d, q, command + 5);
  if (s->work.is_cancelled)
    json_decref(result);
  else
    send_result(s, id, result);
}

// Methods of a workbench: src/desk.h.
static void call_desk(Service *s, json_t *id, const char *method, const json_t *params) {
  const char *why = "there is no such method";
  char *answer = s->calls.call ? s->calls.call(s->calls.desk, method, params, &why) : NULL;
  json_t *result = answer ? json_loads(answer, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL) : NULL;
  free(answer);
  if (result)
    send_result(s, id, result);
  else
    send_error(s, id, REQUEST_FAILED, why);
}

// Of requests with a range: its offsets.
static void find_range(const ServiceDocument *d, const json_t *params, uint32_t *begin,
                       uint32_t *end) {
  const json_t *range = json_object_get(params, "range");
  *begin = service_text_offset(&d->text, service_json_position(json_object_get(range, "start")));
  *end = service_text_offset(&d->text, service_json_position(json_object_get(range, "end")));
}

static void request_mcp(Service *s, json_t *id, const char *method, const json_t *params) {
  int code;
  const char *why;
  json_t *result = mcp_answer(s->calls.mcp, &s->work, method, params, &code, &why);
  if (s->work.is_cancelled)
    json_decref(result);
  else if (result)
    send_result(s, id, result);
  else
    send_error(s, id, code, why);
}

// Before `initialize`. A program that has the service inside of itself need not introduce itself.
static bool is_early(const Service *s) { return !s->is_initialized && s->work.poll; }

static void request(Service *s, json_t *id, const char *method, const json_t *params) {
  if (s->calls.mcp) {
    request_mcp(s, id, method, params);
    return;
  }
  if (!strncmp(method, "tarn/", 5)) {
    call_desk(s, id, method + 5, params);
    return;
  }
  if (!strcmp(method, "initialize") && s->is_initialized) {
    send_error(s, id, INVALID_REQUEST, "`initialize` comes once");
    return;
  }
  if (!strcmp(method, "initialize")) {
    s->is_initialized = true;
    send_result(s, id, initialize(s, params));
    return;
  }
  if (is_early(s) || s->is_shut_down) {
    send_error(s, id, s->is_shut_down ? INVALID_REQUEST : NOT_INITIALIZED,
               s->is_shut_down ? "the server is shut down" : "`initialize` comes first");
    return;
  }
  if (!strcmp(method, "shutdown")) {
    s->is_shut_down = true;
    send_result(s, id, NULL);
    return;
  }
  if (!strcmp(method, "workspace/executeCommand")) {
    execute(s, id, params);
    return;
  }
  ServiceDocument *d = document_of(s, params);
  if (s->work.is_cancelled)
    return;
  const uint32_t offset =
      d ? service_text_offset(&d->text,
                              service_json_position(json_object_get(params, "position")))
        : 0;
  for (size_t i = 0; i < sizeof answers / sizeof *answers; i++)
    if (!strcmp(method, answers[i].method)) {
      send_result(s, id,
                  !d                 ? NULL
                  : answers[i].whole ? answers[i].whole(d)
                                     : answers[i].place(d, offset));
      return;
    }
  if (!strcmp(method, "textDocument/references")) {
    const json_t *context = json_object_get(params, "context");
    send_result(s, id,
                d ? service_references(
                        d, offset, json_is_true(json_object_get(context, "includeDeclaration")))
                  : NULL);
  } else if (!strcmp(method, "textDocument/rangeFormatting") ||
             !strcmp(method, "textDocument/codeAction")) {
    uint32_t begin = 0, end = 0;
    if (d)
      find_range(d, params, &begin, &end);
    send_result(s, id,
                !d                             ? NULL
                : strstr(method, "codeAction") ? service_fixes(d, begin, end)
                                               : service_edits(d, begin, end));
  } else if (!strcmp(method, "textDocument/rename")) {
    const char *why = "the document is not open", *name = text_of(params, "newName");
    json_t *edit = d ? service_rename(d, offset, name ? name : "", &why) : NULL;
    if (edit)
      send_result(s, id, edit);
    else
      send_error(s, id, REQUEST_FAILED, why);
  } else {
    send_error(s, id, NO_METHOD, "there is no such method");
  }
}

static void notification(Service *s, const char *method, const json_t *params) {
  if (!strcmp(method, "notifications/cancelled"))
    service_work_forget(&s->work, json_object_get(params, "requestId"));
  if (s->calls.mcp || is_early(s) || s->is_shut_down)
    return;
  if (!strcmp(method, "textDocument/didOpen"))
    did_open(s, params);
  else if (!strcmp(method, "textDocument/didChange"))
    did_change(s, params);
  else if (!strcmp(method, "textDocument/didClose"))
    did_close(s, params);
  else if (!strcmp(method, "textDocument/didSave"))
    did_save(s, params);
  else if (!strcmp(method, "$/cancelRequest"))
    service_work_forget(&s->work, json_object_get(params, "id"));
  else if (!strcmp(method, "workspace/didChangeConfiguration"))
    set_limits(s, json_object_get(json_object_get(params, "settings"), "tarn"));
}

// A cancelled request is answered by an error, whatever became of it.
static void answer(Service *s, json_t *id, const char *method, const json_t *params) {
  if (service_work_begin(&s->work, id))
    request(s, id, method, params);
  else
    s->work.is_cancelled = true;
  // Of MCP, a cancelled request has no answer.
  if (s->work.is_cancelled && !s->calls.mcp)
    send_error(s, id, REQUEST_CANCELLED, "cancelled");
  service_work_end(&s->work);
}

// The value of four hexadecimal digits; 0: they are none.
static unsigned unit_of(const char *digits, const char *end) {
  char four[5] = "";
  for (int i = 0; i < 4 && digits + i < end; i++)
    four[i] = digits[i];
  char *last;
  const unsigned long value = strtoul(four, &last, 16);
  return last == four + 4 ? (unsigned)value : 0;
}

// JavaScript's strings can hold half of a character outside of Unicode's first plane, and clients
// send it; it is no text in UTF-8. U+FFFD takes as many units.
static void replace_halves(char *text, size_t size) {
  const char *end = text + size;
  for (char *at = text; at + 6 <= end; at++) {
    if (*at != '\\')
      continue;
    const unsigned unit = at[1] == 'u' ? unit_of(at + 2, end) : 0;
    const bool has_next = at + 12 <= end && at[6] == '\\' && at[7] == 'u';
    const unsigned next = has_next ? unit_of(at + 8, end) : 0;
    if (unit >= 0xd800 && unit < 0xdc00 && next >= 0xdc00 && next < 0xe000)
      at += 11;
    else if (unit >= 0xd800 && unit < 0xe000)
      memcpy(at + 2, "fffd", 4);
    else
      at++; // what is escaped is no escape
  }
}

static json_t *read_json(const char *message, size_t size) {
  json_t *json = json_loadb(message, size, JSON_ALLOW_NUL, NULL);
  char *copy = json ? NULL : malloc(size + 1);
  if (copy) {
    memcpy(copy, message, size);
    replace_halves(copy, size);
    json = json_loadb(copy, size, JSON_ALLOW_NUL, NULL);
  }
  free(copy);
  return json;
}

static int receive(Service *s, json_t *json) {
  json_t *id = json_object_get(json, "id");
  const char *method = text_of(json, "method");
  int status = 0;
  if (!json)
    send_error(s, NULL, PARSE_ERROR, "this is not JSON");
  else if (!method && (json_object_get(json, "result") || json_object_get(json, "error")))
    status = 0; // an answer to something that was not asked
  else if (!method || (id && !json_is_string(id) && !json_is_integer(id)))
    send_error(s, NULL, INVALID_REQUEST, "this is not a request of JSON-RPC");
  else if (!strcmp(method, "exit") && !s->calls.mcp)
    status = s->is_shut_down ? 1 : 2;
  else if (id)
    answer(s, id, method, json_object_get(json, "params"));
  else
    notification(s, method, json_object_get(json, "params"));
  return status;
}

// Clients of MCP's version 2025-03-26 may send several messages as a list; so are their answers.
static int receive_list(Service *s, json_t *list) {
  size_t i;
  json_t *one;
  int status = 0;
  s->batch = json_array();
  json_array_foreach(list, i, one) status = status ? status : receive(s, one);
  json_t *all = s->batch;
  s->batch = NULL;
  if (json_array_size(all))
    send_json(s, all);
  else
    json_decref(all);
  return status;
}

int service_receive(Service *s, const char *message, size_t size) {
  json_t *json = read_json(message, size);
  const bool is_list = s->calls.mcp && json_array_size(json);
  const int status = is_list ? receive_list(s, json) : receive(s, json);
  json_decref(json);
  return status;
}
