// libFuzzer target for the reader of models: no bytes may crash it or make it hang, and a
// model that it accepts must read back from what `show` prints of it as the same model.
// Good seeds: models/*.tck, test/run/*.tck, test/run/errors/*.tck and the output of `tarn gen`.
#include "language/tchecker/tck.h"
#include "language/tchecker/tck_writer.h"
#include "output/processgraph.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct Attempt {
  Mem mem;
  Report report;
  Net net;
  Source source;
  Text shown;
} Attempt;

static bool try_reading(Attempt *attempt, const char *text, size_t size) {
  *attempt = (Attempt){.source = {"input", text, size}};
  attempt->shown.mem = &attempt->mem;
  report_init(&attempt->report, &attempt->mem);
  net_init(&attempt->net, &attempt->mem);
  if (!tck_read(&attempt->net, &attempt->source, &attempt->report)) {
    if (!report_failed(&attempt->report))
      abort(); // refused without a reason
    return false;
  }
  tck_write(&attempt->shown, &attempt->net);
  return true;
}

static void release(Attempt *attempt) {
  text_release(&attempt->shown);
  net_release(&attempt->net);
  report_release(&attempt->report);
  if (attempt->mem.bytes)
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  // A copy of just this size, so that reading beyond it is seen.
  char *text = malloc(size + 1);
  if (!text)
    return 0;
  if (size)
    memcpy(text, data, size);
  text[size] = 0;
  Attempt first, again;
  if (try_reading(&first, text, size)) {
    if (!try_reading(&again, text_chars(&first.shown), first.shown.size) ||
        strcmp(text_chars(&first.shown), text_chars(&again.shown)) != 0)
      abort();
    release(&again);
    text_clear(&first.shown);
    processgraph_all(&first.shown, &first.net);
  }
  release(&first);
  free(text);
  return 0;
}
