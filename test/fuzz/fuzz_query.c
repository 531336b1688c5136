// libFuzzer target for the reader of queries: no bytes may crash it or make it hang. The first
// byte chooses between one query, a list of labels and a file of queries; the model is fixed.
#include "language/query_reader.h"
#include "language/tchecker/tck.h"
#include "language/uppaal/query_file.h"
#include "model/expr/print.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char model[] = "system:s\nevent:e\nclock:1:x\nclock:3:z\nint:1:0:9:0:i\n"
                            "int:4:-5:5:0:v\nprocess:P\nprocess:Q.r\n"
                            "location:P:A{initial: : labels: one,two}\nlocation:P:B{labels: i}\n"
                            "location:Q.r:A{initial: : labels: two}\nlocation:Q.r:s.t\n";

static void read_one(Arena *arena, const Net *net, const Source *source, Report *report,
                     bool labels) {
  Query query;
  const bool ok = labels ? query_read_labels(&query, arena, net, source, report)
                         : query_read(&query, arena, net, source, report);
  if (ok == report_failed(report))
    abort();
  if (!ok)
    return;
  Goal goal;
  Text text = {.mem = arena->mem};
  expr_print(&text, query.formula);
  query_goal(&goal, arena, net, &query, report);
  text_release(&text);
}

static void read_file(Arena *arena, const Net *net, const Source *source) {
  const QueryNode *node = query_file_split(arena, source, false);
  for (; node; node = node->next) {
    Report report;
    Query query;
    report_init(&report, arena->mem);
    query_read_part(&query, arena, net, node->source, node->begin, node->end, &report);
    report_release(&report);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (!size)
    return 0;
  char *text = malloc(size);
  if (!text)
    return 0;
  memcpy(text, data + 1, size - 1);
  text[size - 1] = 0;
  Mem mem = {0};
  Report report;
  Net net;
  Arena arena = {.mem = &mem};
  report_init(&report, &mem);
  net_init(&net, &mem);
  const Source model_source = {.name = "model", .text = model, .size = sizeof model - 1};
  const Source source = {.name = "query", .text = text, .size = size - 1};
  if (!tck_read(&net, &model_source, &report))
    abort();
  if (data[0] == 'f')
    read_file(&arena, &net, &source);
  else
    read_one(&arena, &net, &source, &report, data[0] == 'l');
  arena_release(&arena);
  net_release(&net);
  report_release(&report);
  if (mem.bytes)
    abort();
  free(text);
  return 0;
}
