// libFuzzer target for UPPAAL's models in XML: no bytes may crash the reader or make it hang.
#include "uppaal_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (!uppaal_input_is_xml(data, size))
    return -1; // of no interest
  uppaal_input_model(data, size);
  return 0;
}
