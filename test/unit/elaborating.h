// Models of one process and one edge, for the unit tests of the elaboration: what becomes of its
// guard and its update, as `tarn show` writes it, or what is wrong.
#pragma once

#include "reading.h"

typedef struct ElabCase {
  const char *decls, *guard, *update; // guard and update may be NULL
  const char *expected;               // "guard / update", or a part of the error
} ElabCase;

static inline void elab_one(const ElabCase *c) {
  char text[2000];
  Reading r;
  snprintf(text, sizeof text,
           "%s process P() { state A; init A; trans A -> A { %s%s%s %s%s%s }; } system P;",
           c->decls, c->guard ? "guard " : "", c->guard ? c->guard : "", c->guard ? ";" : "",
           c->update ? "assign " : "", c->update ? c->update : "", c->update ? ";" : "");
  reading_begin(&r, text);
  const bool ok = uppaal_read(&r.net, &r.source, &r.report);
  const char *error = ok ? r.net.origin.obstacles : text_chars(&r.report.error);
  if (error) {
    if (!strstr(error, c->expected))
      fail_msg("%s: %s", c->expected, error);
  } else {
    const Edge *edge = &r.net.edges.items[0];
    if (edge->guard.expr)
      expr_print(&r.text, edge->guard.expr);
    text_add(&r.text, " / ");
    if (edge->update.stmts)
      stmt_print(&r.text, edge->update.stmts);
    if (strcmp(text_chars(&r.text), c->expected) != 0)
      fail_msg("%s\nis: %s\nnot: %s", text, text_chars(&r.text), c->expected);
  }
  reading_release(&r);
}

#define ELAB_ALL(cases)                                                                          \
  for (uint32_t k = 0; k < sizeof(cases) / sizeof *(cases); k++)                                 \
  elab_one(&(cases)[k])
