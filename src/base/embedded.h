// Embedded files: texts of the source tree that are part of the library. These are the help
// texts, the page and the templates of model families. The Makefile makes them into strings.
#pragma once

#include "base/text.h"

typedef struct EmbeddedFile {
  const char *name;         // without folders
  const char *const *lines; // each with its newline; NULL ends them
} EmbeddedFile;

extern const EmbeddedFile embedded_files[]; // a NULL name ends them

const char *const *embedded_lines(const char *name); // of a file that exists
void embedded_add(Text *, const char *name);         // appends the whole file
