// Lays out texts of UPPAAL's language: blanks between tokens, indentation, blank lines.
//
// Only white space changes: the tokens, the comments and the line breaks between them stay, but
// for blank lines in a row. So any text can be laid out, also one with mistakes in it, and laying
// out the result again changes nothing.
#pragma once

#include "language/uppaal/token.h"
#include "model/syntax.h"

typedef enum PrettyKind {
  PRETTY_MODEL, // declarations, processes, the system line
  PRETTY_LABEL, // a label of XML: its lines are not indented
  PRETTY_QUERY, // a query: its lines keep their indentation
} PrettyKind;

typedef struct PrettyText {
  const Source *source;
  uint32_t begin, end;
  PrettyKind kind;
  // For a text that was decoded: raw + map[i] is how the file writes the byte at `i`. Tokens are
  // written as the file has them. NULL: the source is the file.
  const char *raw;
  const uint32_t *map;
} PrettyText;

LabelNode pretty_trimmed(LabelNode); // without white space around it
// Appends the text as it should look, without white space around it.
void pretty_print(Text *, Mem *, const PrettyText *);
