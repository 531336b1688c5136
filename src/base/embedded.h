// Embedded files: texts of the source tree that are part of the library. These are the help
// texts, the page and the templates of model families. The Makefile makes each into one
// string: pointers to lines would have to be relocated at each start.
#pragma once

#include "base/text.h"

#include <string.h>

typedef struct EmbeddedFile {
  const char *name;  // without folders
  const char *lines; // each with its newline and a zero; an empty one ends them
} EmbeddedFile;

extern const EmbeddedFile embedded_files[]; // a NULL name ends them

const char *embedded_lines(const char *name); // of a file that exists
static inline const char *embedded_next(const char *line) { return line + strlen(line) + 1; }
void embedded_add(Text *, const char *name); // appends the whole file
