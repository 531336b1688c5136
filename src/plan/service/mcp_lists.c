#include "plan/service/mcp_lists.h"

#include "base/embedded.h"

#include <string.h>

#define MODEL                                                                                    \
  "\"path\":{\"type\":\"string\",\"description\":\"A model below the folder of the server: "     \
  ".xta, .xml or .tck. Its queries are those in it or in the .q file beside it.\"},"             \
  "\"text\":{\"type\":\"string\",\"description\":\"The model itself, instead of path.\"},"       \
  "\"format\":{\"type\":\"string\",\"enum\":[\"xta\",\"xml\",\"tck\",\"q\"],"                    \
  "\"description\":\"The format of text. Default: it is found out.\"}"
#define LIMIT                                                                                    \
  "\"time_limit\":{\"type\":\"number\",\"exclusiveMinimum\":0,\"description\":\"Seconds, at "    \
  "most those of the server.\"}"
#define QUERIES                                                                                  \
  "\"queries\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"description\":\"Such as "   \
  "E<> P.bad (can it happen?) or A[] x <= 5 (does it always hold?). Default: those of the "      \
  "model.\"}"
#define MISTAKES                                                                                 \
  "\"mistakes\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{"             \
  "\"line\":{\"type\":\"integer\"},\"column\":{\"type\":\"integer\"},"                           \
  "\"end_line\":{\"type\":\"integer\"},\"end_column\":{\"type\":\"integer\"},"                   \
  "\"severity\":{\"type\":\"string\",\"enum\":[\"error\",\"warning\"]},"                         \
  "\"message\":{\"type\":\"string\"}},\"required\":[\"line\",\"column\",\"severity\","           \
  "\"message\"]}}"
#define CUT                                                                                      \
  "\"cut\":{\"type\":\"string\",\"description\":\"Why the rest is missing: it was too large.\"}"
#define OBJECT(properties, required)                                                             \
  "{\"type\":\"object\",\"properties\":{" properties "},\"required\":[" required "]}"
#define RESULT(properties) OBJECT(MISTAKES "," CUT "," properties, "\"mistakes\"")

static const struct {
  const char *name, *description, *input, *output;
} tools[] = {
    {"check",
     "Decides queries of a network of timed automata: whether each is satisfied and, with trace, "
     "a run that shows it. Mistakes in the model are listed with their places.",
     OBJECT(MODEL "," QUERIES "," LIMIT
                  ",\"trace\":{\"type\":\"boolean\",\"description\":\"With concrete runs.\"}",
            ""),
     RESULT("\"results\":{\"type\":\"array\",\"items\":{\"type\":\"object\"}},"
            "\"errors\":{\"type\":\"array\"},\"warnings\":{\"type\":\"array\"}")},
    {"lint",
     "Looks for what is suspicious in a model: locations and edges that no run uses, variables "
     "that nothing reads, queries that hold vacuously.",
     OBJECT(MODEL "," QUERIES "," LIMIT, ""),
     RESULT("\"findings\":{\"type\":\"array\",\"items\":{\"type\":\"object\"}},"
            "\"error\":{\"type\":\"string\"}")},
    {"simulate", "Makes a random run of a model, with delays. The same seed makes the same run.",
     OBJECT(MODEL
            "," LIMIT
            ",\"steps\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":1000,\"default\":10},"
            "\"seed\":{\"type\":\"integer\",\"minimum\":0,\"default\":1}",
            ""),
     RESULT("\"run\":{\"type\":\"object\"},\"stuck\":{\"type\":[\"string\",\"null\"]},"
            "\"text\":{\"type\":\"string\"},\"error\":{\"type\":\"string\"}")},
    {"explain",
     "Says in words how each query is decided, why that answers it, and what happens in the run "
     "that shows it.",
     OBJECT(MODEL "," QUERIES "," LIMIT, ""),
     RESULT("\"explanations\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{"
            "\"query\":{\"type\":\"string\"},\"plan\":{\"type\":\"string\"},"
            "\"answer\":{\"type\":\"string\"},\"stages\":{\"type\":\"string\"},"
            "\"error\":{\"type\":\"string\"}}}},\"error\":{\"type\":\"string\"}")},
    {"format",
     "Lays out a model or queries: blanks, indentation and blank lines. The file is not changed; "
     "the new text is the result.",
     OBJECT(MODEL, ""),
     RESULT("\"text\":{\"type\":\"string\"},\"is_changed\":{\"type\":\"boolean\"}")}};

json_t *mcp_tools(void) {
  json_t *list = json_array();
  for (size_t i = 0; i < sizeof tools / sizeof *tools; i++)
    json_array_append_new(list, json_pack("{s:s, s:s, s:o, s:o, s:{s:b, s:b, s:b}}", "name",
                                          tools[i].name, "description", tools[i].description,
                                          "inputSchema", json_loads(tools[i].input, 0, NULL),
                                          "outputSchema", json_loads(tools[i].output, 0, NULL),
                                          "annotations", "readOnlyHint", 1, "idempotentHint", 1,
                                          "openWorldHint", 0));
  return json_pack("{s:o}", "tools", list);
}

static const struct {
  const char *uri, *file, *name, *about, *type;
} resources[] = {
    {"tarn://guide/uppaal", "uppaal.txt", "UPPAAL's language", "What tarn reads of it.",
     "text/plain"},
    {"tarn://guide/tchecker", "language.txt", "TChecker's language", "The .tck format.",
     "text/plain"},
    {"tarn://guide/queries", "queries.txt", "Queries", "What can be asked of a model.",
     "text/plain"},
    {"tarn://guide/probabilities", "probabilities.txt", "Probabilities", "Statistical queries.",
     "text/plain"},
    {"tarn://guide/lint", "lint.txt", "Lint", "What is suspicious in a model.", "text/plain"},
    {"tarn://guide/json", "json.txt", "JSON", "What answers look like.", "text/plain"},
    {"tarn://example/lamp.xta", "lamp.xta", "A lamp", "A first model.", "text/x-xta"},
    {"tarn://example/lamp.q", "lamp.q", "Queries of the lamp", "With what they expect.",
     "text/plain"},
    {"tarn://example/fischer.xta", "fischer.xta", "Fischer's protocol",
     "Mutual exclusion by delays.", "text/x-xta"},
    {"tarn://example/fischer.q", "fischer.q", "Queries of Fischer's protocol", "", "text/plain"},
    {"tarn://example/train-gate.xta", "train-gate.xta", "Trains at a bridge",
     "Templates, arrays and functions.", "text/x-xta"},
    {"tarn://example/lamp.tck", "lamp.tck", "A lamp in TChecker's format", "", "text/x-tck"}};

json_t *mcp_resources(void) {
  json_t *list = json_array();
  for (size_t i = 0; i < sizeof resources / sizeof *resources; i++)
    json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s}", "uri", resources[i].uri, "name",
                                          resources[i].name, "description", resources[i].about,
                                          "mimeType", resources[i].type));
  return json_pack("{s:o}", "resources", list);
}

const char *mcp_resource(Text *text, const char *uri) {
  for (size_t i = 0; i < sizeof resources / sizeof *resources; i++)
    if (!strcmp(resources[i].uri, uri)) {
      embedded_add(text, resources[i].file);
      return resources[i].type;
    }
  return NULL;
}
