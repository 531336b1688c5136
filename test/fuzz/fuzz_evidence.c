// libFuzzer target for the readers of evidence, certificates and runs, and for what checks them:
// no bytes may crash them or make them hang. It is about test/run/certify.tck, and runs where
// that path is right; test/fuzz/readers.sh makes good seeds.
#include "language/tchecker/tck.h"
#include "plan/evidence.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MODEL_SIZE = 1 << 16 };

static const char *read_model(void) {
  static char model[MODEL_SIZE];
  if (!*model) {
    FILE *file = fopen("test/run/certify.tck", "r");
    if (!file || !fread(model, 1, MODEL_SIZE - 1, file))
      abort();
    fclose(file);
  }
  return model;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *text = malloc(size + 1); // just this size, so that reading beyond it is seen
  if (!text)
    return 0;
  if (size)
    memcpy(text, data, size);
  text[size] = 0;
  Mem mem = {0};
  Net net;
  Report report;
  Text finding = {.mem = &mem};
  const char *model = read_model();
  const Source given = {.name = "model", .text = model, .size = strlen(model)};
  const Source source = {.name = "input", .text = text, .size = size};
  report_init(&report, &mem);
  net_init(&net, &mem);
  if (!tck_read(&net, &given, &report))
    abort();
  if (evidence_check(&mem, &net, &source, &finding, (EvidenceKeep){0}, &report) < 0 &&
      !report_failed(&report))
    abort(); // refused without a reason
  text_release(&finding);
  net_release(&net);
  report_release(&report);
  if (mem.bytes)
    abort();
  free(text);
  return 0;
}
