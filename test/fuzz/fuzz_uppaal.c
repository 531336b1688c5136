// libFuzzer target for the readers of UPPAAL's models: no bytes may crash them or make them hang.
// What begins with `<` is read as XML, the rest as .xta, and each query of a model that is
// accepted is read as well.
#include "io/show.h"
#include "uppaal/uppaal.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_queries(Mem *mem, const Net *net) {
  for (const QueryNode *node = uppaal_queries(net); node; node = node->next) {
    Report report;
    Arena arena = {.mem = mem};
    Query query;
    const Source source = {.name = "query",
                           .text = node->source->text + node->begin,
                           .size = node->end - node->begin};
    char *text = mem_copy_text(mem, source.text, source.size);
    const Source copy = {.name = "query", .text = text, .size = source.size};
    report_init(&report, mem);
    Goal goal;
    if (uppaal_query(&query, &arena, net, &copy, &report) &&
        (query.kind == QUERY_REACH || query.kind == QUERY_INVARIANT))
      query_goal(&goal, &arena, net, &query, &report);
    report_release(&report);
    arena_release(&arena);
    mem_free(mem, text);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *text = malloc(size + 1);
  if (!text)
    return 0;
  if (size)
    memcpy(text, data, size);
  text[size] = 0;
  Mem mem = {0};
  Report report;
  Net net;
  const Source source = {.name = "input", .text = text, .size = size};
  report_init(&report, &mem);
  net_init(&net, &mem);
  jmp_buf escape;
  mem.limit = (size_t)1 << 30;
  mem.escape = &escape;
  if (!setjmp(escape)) {
    Text shown = {.mem = &mem};
    if (uppaal_read(&net, &source, &report)) {
      show_model(&shown, &net);
      read_queries(&mem, &net);
    } else if (!report_failed(&report)) {
      abort(); // refused without a reason
    }
  }
  mem_release(&mem);
  free(text);
  return 0;
}
