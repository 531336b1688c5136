// Texts to read, for the unit tests of the readers in io/.
#pragma once

#include "language/query_reader.h"
#include "language/tchecker/tck.h"
#include "language/tchecker/tck_writer.h"
#include "language/uppaal/uppaal.h"
#include "model/expr/print.h"
#include "output/processgraph.h"

// cmocka wants these before itself.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Reading {
  Mem mem;
  Net net;
  Report report;
  Source source;
  Arena arena; // of queries
  Text text;   // for what is printed
} Reading;

// What most models of these tests begin with: something of everything.
#define PREAMBLE                                                                                 \
  "system:s\nprocess:P\nprocess:Q\nevent:a\nevent:b\nclock:1:x\nclock:1:y\nclock:3:z\n"          \
  "int:1:0:9:0:i\nint:1:-5:5:0:j\nint:4:0:9:1:v\n"                                               \
  "location:P:A{initial:}\nlocation:P:B{labels: one,two}\nlocation:Q:A{initial: : labels: "      \
  "two}\n"

static inline void reading_begin(Reading *r, const char *text) {
  memset(r, 0, sizeof *r);
  r->arena.mem = r->text.mem = &r->mem;
  r->source = (Source){.name = "model", .text = text, .size = strlen(text)};
  report_init(&r->report, &r->mem);
  net_init(&r->net, &r->mem);
}

static inline bool reading_model(Reading *r, const char *text) {
  reading_begin(r, text);
  return tck_read(&r->net, &r->source, &r->report);
}

static inline void reading_release(Reading *r) {
  text_release(&r->text);
  arena_release(&r->arena);
  net_release(&r->net);
  report_release(&r->report);
  assert_int_equal(r->mem.bytes, 0);
}

// The same where parts of it are released with their memory only.
static inline void reading_drop(Reading *r) { mem_release(&r->mem); }

// The model is accepted; if it is not, the message tells why.
static inline void reading_accept(Reading *r, const char *text) {
  if (!reading_model(r, text))
    fail_msg("refused: %s\n%s", text_chars(&r->report.error), text);
}

// The same of a model in UPPAAL's language.
static inline void reading_accept_uppaal(Reading *r, const char *text) {
  reading_begin(r, text);
  if (!uppaal_read(&r->net, &r->source, &r->report))
    fail_msg("refused: %s\n%s", text_chars(&r->report.error), text);
}

// The first line of the error, or "" if there is none, is in r->text.
static inline const char *reading_error(Reading *r) {
  const char *error = text_chars(&r->report.error);
  text_clear(&r->text);
  text_add_bytes(&r->text, error, strcspn(error, "\n"));
  return text_chars(&r->text);
}

// The model with this line added to the preamble is refused with this message.
static inline void reading_refuse(const char *line, const char *message) {
  Reading r;
  char text[4096];
  snprintf(text, sizeof text, PREAMBLE "%s\n", line);
  if (reading_model(&r, text))
    fail_msg("accepted: %s", line);
  if (!strstr(reading_error(&r), message))
    fail_msg("%s\n  says:     %s\n  expected: %s", line, text_chars(&r.text), message);
  reading_release(&r);
}

// Reads one edge with this guard and this update, either may be NULL, and shows it again.
static inline const char *reading_edge(Reading *r, const char *guard, const char *update) {
  char *text = malloc(65536);
  snprintf(text, 65536, PREAMBLE "edge:P:A:B:a{%s%s%s%s%s}\n", guard ? "provided: " : "",
           guard ? guard : "", guard && update ? " : " : "", update ? "do: " : "",
           update ? update : "");
  reading_accept(r, text);
  const Edge *edge = &r->net.edges.items[0];
  if (edge->guard_expr)
    expr_print(&r->text, edge->guard_expr);
  if (edge->guard_expr && edge->update_stmts)
    text_add(&r->text, " / ");
  if (edge->update_stmts)
    stmt_print(&r->text, edge->update_stmts);
  free(text);
  r->source.text = ""; // places must not be looked at any more
  r->source.size = 0;
  return text_chars(&r->text);
}

// A guard reads as this.
static inline void reading_guard(const char *guard, const char *shown) {
  Reading r;
  assert_string_equal(reading_edge(&r, guard, NULL), shown);
  reading_release(&r);
}

static inline void reading_update(const char *update, const char *shown) {
  Reading r;
  assert_string_equal(reading_edge(&r, NULL, update), shown);
  reading_release(&r);
}

static inline void reading_refuse_guard(const char *guard, const char *message) {
  char line[2048];
  snprintf(line, sizeof line, "edge:P:A:B:a{provided: %s}", guard);
  reading_refuse(line, message);
}

static inline void reading_refuse_update(const char *update, const char *message) {
  char line[2048];
  snprintf(line, sizeof line, "edge:P:A:B:a{do: %s}", update);
  reading_refuse(line, message);
}

// A declaration that is read, with a warning.
static inline void reading_warn(const char *declaration, const char *words) {
  Reading r;
  char text[1024];
  snprintf(text, sizeof text, "%s%s\n", PREAMBLE, declaration);
  reading_accept(&r, text);
  if (!strstr(text_chars(&r.report.warnings), words))
    fail_msg("no warning `%s` of %s", words, declaration);
  reading_release(&r);
}
