// libFuzzer target for UPPAAL's .q files: no bytes may crash the reader or make it hang.
#include "uppaal_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uppaal_input_queries(data, size);
  return 0;
}
