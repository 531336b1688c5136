#include "plan/fingerprint.h"

#include "language/tchecker/tck_writer.h"

#include <string.h>

void fingerprint_model(unsigned char hash[SHA256_SIZE], Mem *mem, const Net *net) {
  Text text = {.mem = mem};
  tck_write(&text, net);
  const char *line = strchr(text_chars(&text), '\n');
  const char *from = line ? line + 1 : text_chars(&text);
  sha256(hash, from, strlen(from));
  text_release(&text);
}
