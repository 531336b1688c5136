// Report: what is wrong with the user's input, as sentences with a place.
//
// The first error is sticky: later ones are ignored, so parsers need no checks after each
// step. Parsers that recover use report_errors, which keeps up to REPORT_MAX_ERRORS. Warnings
// accumulate. Each message reads `file:line:column: text`, followed by the
// source line and a caret under the column where the source is known.
//
// An all-zero Report keeps no messages: it only says whether there was an error, and need not be
// released. It must not be used to read texts.
#pragma once

#include "base/text.h"

// A text that was read: a file, standard input, a query on the command line, or a part of a file
// whose text was decoded: a label in an XML file.
typedef struct Source {
  const char *name; // as shown to the user
  const char *text; // NUL-terminated, `size` bytes; may hold NULs of its own
  size_t size;
  // A part: which one it is, as messages call it, and the line of the file where it begins.
  // There are no columns then, because the text was decoded.
  const char *part;
  uint32_t first_line;
  const struct Source *file; // that the part is of, with the element in it; NULL: not known
  uint32_t begin, end;       // of its content
} Source;

// A place in a source; all-zero means "no place".
typedef struct Place {
  const Source *source;
  uint32_t offset;
} Place;

// A message as editors want it. The place's source has to live as long.
typedef struct Message {
  Place place;
  char *text; // without place and line end
  bool is_warning;
} Message;
typedef struct MessageList {
  Message *items;
  uint32_t size, capacity;
} MessageList;

typedef struct Report {
  Text error;    // empty: none
  Text warnings; // one after the other, each ends with a newline
  uint32_t warning_count;
  uint32_t error_count; // by report_errors
  Place last_error;     // by report_errors
  size_t shown_size;    // of the text of the errors that are shown
  MessageList *list;    // all messages, also those that are not shown; NULL: none are kept
} Report;

void report_init(Report *, Mem *);
void report_release(Report *);
void report_clear(Report *);
// Returns false, for functions that do after an error.
bool report_error(Report *, Place, const char *format, ...) __attribute__((format(printf, 3, 4)));
void report_warning(Report *, Place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// Keeps the first messages of the list and drops the others.
void report_cut(Report *, uint32_t size);
// Adds an error to those there are, unless the last one is of the same place.
enum { REPORT_MAX_ERRORS = 20 };
void report_errors(Report *, Place, const char *format, va_list)
    __attribute__((format(printf, 3, 0)));
static inline bool report_failed(const Report *report) { return report->error.size != 0; }

// Where the text begins: behind the mark with which editors of Windows begin one.
uint32_t report_text_begin(const Source *);

// Writes `file:line:column` of a place, or `file:line: part`; nothing for no place.
void report_place(Text *, Place);
// The same for one of many places. If they are sorted, the text is read once for all of them, and
// not for each. The cursor is all zero before the first.
typedef struct PlaceCursor {
  Place last;
  size_t begin; // of its line
  unsigned line;
} PlaceCursor;
void report_next_place(Text *, Place, PlaceCursor *);
