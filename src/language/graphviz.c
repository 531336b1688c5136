#define _POSIX_C_SOURCE 200809L // popen, mkstemp
#include "language/graphviz.h"

#include <stdio.h>
#include <stdlib.h>

static bool add_output(Text *text, const char *path, const char *format, int seconds) {
  char command[128], buffer[4096];
  snprintf(command, sizeof command, "ulimit -t %d; exec dot -T%s '%s' 2>/dev/null", seconds,
           format, path);
  FILE *pipe = popen(command, "r");
  if (!pipe)
    return false;
  size_t size;
  while ((size = fread(buffer, 1, sizeof buffer, pipe)) > 0)
    text_add_bytes(text, buffer, size);
  return !pclose(pipe);
}

bool graphviz_run(Text *text, const Text *graphs, const char *format, int seconds) {
  char path[] = "/tmp/tarn-XXXXXX";
  const int descriptor = mkstemp(path);
  FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
  bool ok = file && fwrite(text_chars(graphs), 1, graphs->size, file) == graphs->size;
  if (file)
    ok &= !fclose(file);
  ok = ok && add_output(text, path, format, seconds);
  if (descriptor >= 0)
    remove(path);
  return ok;
}
