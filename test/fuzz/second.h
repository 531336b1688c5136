// A second checker of evidence, a program: tarn-proved MODEL FILE...
//
// It is asked once for each network, about all files that were collected. What it says of each is
// compared with what `tarn certify` said.
#pragma once

#include <stddef.h>

typedef enum SecondAnswer {
  SECOND_SILENT, // it says nothing of this file
  SECOND_REJECTS,
  SECOND_OPEN, // it rejects what it does not cover, and says so
  SECOND_ACCEPTS,
} SecondAnswer;

typedef struct SecondFile {
  int is_false;    // known to be
  int is_own;      // nothing was changed
  int is_accepted; // by the first checker
  SecondAnswer answer;
} SecondFile;

typedef struct Second {
  const char *program; // NULL: there is none, and nothing is done
  char folder[80];
  SecondFile *files;
  unsigned count;
  int has_read;    // the model
  char said[2000]; // of the model, if it has not been read
} Second;

// The folder is made beside `path`.
void second_begin(Second *, const char *program, const char *path);
void second_add(Second *, const char *bytes, size_t size, SecondFile);
// Asks about a model; the name of its file ends with `ending`. What it says of each file is in
// `files`.
void second_ask(Second *, const char *model, const char *ending);
// Where the bytes of a file are.
void second_path(const Second *, unsigned file, char *path, size_t size);
void second_clear(Second *);
void second_end(Second *);
