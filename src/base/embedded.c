#include "base/embedded.h"

#include <assert.h>

const char *embedded_lines(const char *name) {
  const EmbeddedFile *file = embedded_files;
  while (file->name && strcmp(file->name, name) != 0)
    file++;
  assert(file->name);
  return file->lines;
}

void embedded_add(Text *text, const char *name) {
  for (const char *line = embedded_lines(name); *line; line = embedded_next(line))
    text_add(text, line);
}
