#include "io/source.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static bool read_stream(Text *text, FILE *file) {
  char buffer[65536];
  size_t count;
  text_add(text, "");
  while ((count = fread(buffer, 1, sizeof buffer, file)) > 0)
    text_add_bytes(text, buffer, count);
  return !ferror(file);
}

bool source_read(Source *source, Mem *mem, const char *path, Report *report) {
  const bool is_stdin = !strcmp(path, "-");
  FILE *file = is_stdin ? stdin : fopen(path, "rb");
  if (!file) {
    report_error(report, (Place){0}, "%s: %s", path, strerror(errno));
    return false;
  }
  Text text = {.mem = mem};
  const bool ok = read_stream(&text, file);
  if (!ok)
    report_error(report, (Place){0}, "%s: %s", path, strerror(errno));
  if (!is_stdin)
    fclose(file);
  const char *name = is_stdin ? "<stdin>" : path;
  *source = (Source){
      .name = mem_copy_text(mem, name, strlen(name)), .text = text.chars, .size = text.size};
  return ok;
}
