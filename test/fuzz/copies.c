#include "copies.h"

#include <stdio.h>
#include <string.h>

enum { MAX_EDGES = 8 };

typedef struct EdgeForm { // one edge of the template; %d is the number of the copy
  uint32_t source, target;
  const char *event;
  char guard[96], update[96];
} EdgeForm;

static int below(Copies *c, uint32_t n) { return (int)random_below(c->random, n); }

static void add_to(char *text, const char *separator, const char *more) {
  if (*text)
    strcat(text, separator);
  strcat(text, more);
}

static void make_edge(Copies *c, EdgeForm *form) {
  static const char *const guards[] = {"id==0",   "id==#",    "id!=#", "v#==1",
                                       "f[#]==0", "f[id]==0", "g==id", "g!=#"};
  static const char *const updates[] = {"id=#", "id=0", "v#=1",    "v#=0", "f[#]=1",
                                        "g=id", "g=#",  "f[id]=0", "id=g", "v#=1-v#"};
  static const char *const events[] = {"tau", "tau", "tau",  "tau", "s",
                                       "t",   "all", "ring", "gnir"};
  char one[48];
  *form = (EdgeForm){.source = random_below(c->random, c->locations),
                     .target = random_below(c->random, c->locations),
                     .event = events[below(c, 9)]};
  if (below(c, 3)) {
    static const char *const comparisons[] = {"<=", ">=", "==", "<", ">"};
    snprintf(one, sizeof one, "x#%s%d", comparisons[below(c, c->is_closed ? 3 : 5)],
             1 + below(c, 3));
    add_to(form->guard, "&&", one);
  }
  if (!below(c, 4)) {
    snprintf(one, sizeof one, "y#<%s%d", c->is_closed ? "=" : "", 1 + below(c, 4));
    add_to(form->guard, "&&", one);
  }
  for (int i = below(c, 3); i > 0; i--)
    add_to(form->guard, "&&", guards[below(c, 8)]);
  if (below(c, 2))
    add_to(form->update, ";", below(c, 6) ? "x#=0" : "x#=1");
  if (!below(c, 4))
    add_to(form->update, ";", below(c, 5) ? "y#=0" : "y#=x#");
  for (int i = below(c, 3); i > 0; i--)
    add_to(form->update, ";", updates[below(c, 10)]);
}

// # is the number of the copy.
static void put_text(Copies *c, const char *form, uint32_t copy) {
  for (; *form; form++)
    if (*form == '#')
      text_addf(c->text, "%u", copy);
    else
      text_addf(c->text, "%c", *form);
}

static void put_edge(Copies *c, const EdgeForm *form, uint32_t copy) {
  text_addf(c->text, "edge:P%u:l%u:l%u:%s{", copy, form->source, form->target, form->event);
  if (*form->guard) {
    text_add(c->text, "provided:");
    put_text(c, form->guard, copy);
  }
  if (*form->update) {
    text_add(c->text, *form->guard ? " : do:" : "do:");
    put_text(c, form->update, copy);
  }
  text_add(c->text, "}\n");
}

static void put_copies(Copies *c, const EdgeForm *forms, uint32_t count, bool is_broken) {
  const int invariant = below(c, 3), special = below(c, 12), at = below(c, (uint32_t)c->copies);
  const int wound = below(c, count), kind = below(c, 6);
  for (uint32_t p = 1; p <= c->copies; p++) {
    text_addf(c->text, "process:P%u\nclock:1:x%u\nclock:1:y%u\nint:1:0:1:0:v%u\n", p, p, p, p);
    const bool breaks = is_broken && (int)p == at + 1;
    for (uint32_t l = 0; l < c->locations; l++) {
      text_addf(c->text, "location:P%u:l%u{%s", p, l, l ? "labels:" : "initial: : labels:");
      text_addf(c->text, "P%u_l%u", p, l);
      if (l && (int)l == special)
        text_add(c->text, breaks && !kind ? " : urgent:" : " : committed:");
      if (l && !invariant)
        text_addf(c->text, " : invariant:x%u<=%d", p, breaks && kind == 1 ? 2 : 3);
      text_add(c->text, "}\n");
    }
    for (uint32_t e = 0; e < count; e++) {
      EdgeForm form = forms[e];
      if (breaks && (int)e == wound) {
        if (kind == 2)
          form.target = (form.target + 1) % c->locations;
        else if (kind == 3)
          add_to(form.guard, "&&", "x#<=4");
        else if (kind == 4)
          add_to(form.update, ";", "y#=0");
        else if (kind == 5)
          form.event = "tau";
      }
      put_edge(c, &form, p);
    }
  }
}

// A process that stays: it gives the token, hands it on, or answers to all by events.
static void put_server(Copies *c) {
  const uint32_t n = c->copies;
  text_add(c->text, "process:S\nlocation:S:a{initial:}\nlocation:S:b{}\n");
  switch (below(c, 9)) {
  case 0: // round and round
    text_addf(c->text, "edge:S:b:b:tau{provided:id>0&&id<%u : do:id=id+1}\n", n);
    text_addf(c->text, "edge:S:b:b:tau{provided:id==%u : do:id=1}\n", n);
    text_addf(c->text, "edge:S:a:b:tau{provided:id==0 : do:id=%d}\n", below(c, 2));
    break;
  case 4:
  case 1: // to anybody
    for (uint32_t p = 1; p <= n; p++)
      text_addf(c->text, "edge:S:a:b:tau{provided:id==0 : do:id=%u}\n", p);
    text_add(c->text, "edge:S:b:a:tau{do:id=0}\n");
    break;
  case 2: // counts with ids
    text_addf(c->text, "edge:S:a:b:tau{provided:id<%d : do:g=0}\n", 1 + below(c, n));
    text_add(c->text, "edge:S:b:a:tau\n");
    break;
  case 3: // to one of them, perhaps once only
    text_addf(c->text, "edge:S:a:b:tau{do:id=%d}\n", below(c, n + 1));
    if (below(c, 2))
      text_add(c->text, "edge:S:b:a:tau\n");
    break;
  default:
    text_add(c->text, "edge:S:a:b:tau{do:id=0;g=0}\nedge:S:b:a:tau{provided:id==g}\n");
  }
  const bool writes = below(c, 2), returns = below(c, 2);
  for (uint32_t p = 1; p <= n; p++) {
    text_addf(c->text, "edge:S:%s:b:s%u{do:%s%u}\n", returns ? "a" : "b", p,
              writes ? "g=" : "g=0;id=", p);
    text_addf(c->text, "edge:S:b:%s:t{do:f[0]=0}\n", returns ? "a" : "b");
  }
}

static void put_syncs(Copies *c, bool is_broken) {
  const uint32_t n = c->copies;
  const bool weak = below(c, 2), ring = below(c, 3) == 0;
  for (uint32_t p = 1; p <= n; p++) {
    text_addf(c->text, "sync:S@s%u:P%u@s\nsync:P%u@t:S@t%s\n", p, p, p,
              is_broken && p == 1 && !below(c, 4) ? "?" : "");
    if (ring)
      text_addf(c->text, "sync:P%u@ring:P%u@gnir\n", p, p % n + 1);
    for (uint32_t q = 1; !ring && q <= n; q++)
      if (q != p)
        text_addf(c->text, "sync:P%u@ring:P%u@gnir\n", p, q);
  }
  text_add(c->text, "sync");
  for (uint32_t p = n; p >= 1; p--)
    text_addf(c->text, ":P%u@all%s", p, weak ? "?" : "");
  text_add(c->text, "\n");
}

void copies_tck(Copies *c) {
  EdgeForm forms[MAX_EDGES];
  c->copies = 2 + random_below(c->random, 3);
  c->locations = 2 + random_below(c->random, 2);
  const uint32_t count = 3 + random_below(c->random, 4);
  const bool is_broken = below(c, 2);
  c->is_closed = below(c, 3) == 0;
  for (uint32_t e = 0; e < count; e++)
    make_edge(c, &forms[e]);
  text_add(c->text, "system:r\nevent:tau\nevent:s\nevent:t\nevent:all\nevent:ring\nevent:gnir\n");
  for (uint32_t p = 1; p <= c->copies; p++)
    text_addf(c->text, "event:s%u\n", p);
  text_addf(c->text, "int:1:0:%u:%d:id\nint:1:0:%u:0:g\nint:%u:0:1:0:f\n", c->copies,
            below(c, 4) ? 0 : 1, c->copies, c->copies + 1);
  put_copies(c, forms, count, is_broken);
  put_server(c);
  put_syncs(c, is_broken);
}

static const char *const comparisons[] = {"==", "!=", "<", "<=", ">", ">="};

// How many are in a location; now and then one is missing or counts twice, or g counts, too.
static void ask_sum(Copies *c, uint32_t location, char *text, size_t size) {
  const uint32_t first = 1 + random_below(c->random, c->copies), odd = below(c, 8);
  snprintf(text, size, "%s (%s", below(c, 2) ? "E<>" : "A[]", below(c, 3) ? "0" : "g");
  for (uint32_t k = 0; k < c->copies; k++) {
    const uint32_t p = 1 + (first + k) % c->copies;
    for (uint32_t i = 0; i < (k ? 1 : odd == 0 ? 2 : odd > 1); i++)
      snprintf(text + strlen(text), size - strlen(text), " + P%u.l%u", p, location);
  }
  snprintf(text + strlen(text), size - strlen(text), ") %s %d", comparisons[below(c, 6)],
           below(c, 4));
}

void copies_tck_query(Copies *c, char *text, size_t size) {
  const uint32_t l = random_below(c->random, c->locations),
                 m = random_below(c->random, c->locations);
  switch (below(c, 5)) {
  case 4:
    ask_sum(c, l, text, size);
    return;
  case 0:
    snprintf(text, size, "E<> P1.l%u && P2.l%u && v1 == %d", l, m, below(c, 2));
    return;
  case 1:
    snprintf(text, size, "E<> P%u.l%u && id == %d && x1 >= %d",
             1 + random_below(c->random, c->copies), l, below(c, c->copies + 1), below(c, 3));
    return;
  case 2:
    snprintf(text, size, "A[] id == %d imply !(P2.l%u && y2 <= 1)", below(c, c->copies + 1), l);
    return;
  default: // two of them, whichever
    strcpy(text, "E<> 0 == 1");
    for (uint32_t p = 1; p <= c->copies; p++)
      for (uint32_t q = 1; q <= c->copies; q++)
        if (p != q && (l != m || p < q))
          snprintf(text + strlen(text), size - strlen(text), " || P%u.l%u && P%u.l%u", p, l, q,
                   m);
  }
}

// --- UPPAAL's language.

static const char *pick(Copies *c, const char *const *list, uint32_t count) {
  return list[below(c, count)];
}
#define PICK(c, list) pick(c, list, sizeof(list) / sizeof *(list))

static void put_declarations(Copies *c, int first, bool is_broken) {
  const uint32_t n = c->copies;
  text_addf(c->text, "typedef int[%d,%d] id_t;\n", first, first + (int)n - 1);
  text_addf(c->text, "int[%d,%d] owner = %d;\nint[0,2] g;\nint[0,1] flag[id_t];\n", first - 1,
            first + (int)n - 1, below(c, 3) ? first - 1 : first);
  text_add(c->text, "const int T[id_t] = {");
  const uint32_t odd = is_broken && below(c, 3) == 0 ? random_below(c->random, n) : n;
  for (uint32_t i = 0; i < n; i++)
    text_addf(c->text, "%s%d", i ? ", " : "", i == odd ? 0 : 1);
  text_add(c->text, "};\nconst id_t U[id_t] = {"); // each its own, or the next
  const uint32_t turn = below(c, 3) == 0;
  for (uint32_t i = 0; i < n; i++)
    text_addf(c->text, "%s%d", i ? ", " : "", first + (int)((i + turn) % n));
  text_add(c->text, "};\n");
  const int priorities = below(c, 4);
  text_addf(c->text, "%sbroadcast chan b;\n%schan c[id_t];\n%schan d;\nchan e;\n",
            below(c, 4) ? "" : "urgent ", below(c, 5) ? "" : "urgent ",
            below(c, 3) ? "" : "urgent ");
  if (!priorities)
    text_addf(c->text, "chan priority %s;\n",
              below(c, 2) ? "b < d < default" : "d < default < e");
  text_add(c->text, "void put(int[-2,8] &x, id_t v) { x = v; }\n"
                    "bool idle() { return forall (i : id_t) flag[i] == 0; }\n"
                    "void clear() { for (i : id_t) flag[i] = 0; }\n");
}

static void put_template(Copies *c, bool is_broken) {
  static const char *const clock_guards[] = {"x <= 2", "x >= 1", "x < 2", "x > 1", "x == 2"};
  static const char *const guards[] = {"owner == id",      "owner != id",    "flag[id] == 0",
                                       "T[id] == 1",       "U[id] == owner", "idle()",
                                       "flag[U[id]] == 0", "g == 0",         "g < 2"};
  static const char *const updates[] = {
      "owner = id",   "flag[id] = 1",    "put(owner, id)", "flag[id] = T[id]", "owner = U[id]",
      "flag[id] = 0", "g = (g + 1) % 3", "g = T[id]",      "clear()",          "g = flag[id]"};
  static const char *const syncs[] = {"",   "",   "",   "b!",     "b?",
                                      "b?", "d!", "d?", "c[id]!", "c[id]?",
                                      "e!", "e?", "b?", "",       "c[U[id]]!"};
  c->locations = 2 + random_below(c->random, 2);
  text_add(c->text, "process P(const id_t id) {\nclock x;\nstate ");
  for (uint32_t l = 0; l < c->locations; l++)
    text_addf(c->text, "%sl%u%s", l ? ", " : "", l, l && !below(c, 3) ? " { x <= 3 }" : "");
  text_add(c->text, ";\n");
  if (!below(c, 4))
    text_addf(c->text, "%s l1;\n", below(c, 2) ? "commit" : "urgent");
  text_add(c->text, "init l0;\ntrans\n");
  const int count = 3 + below(c, 4), wound = is_broken ? below(c, (uint32_t)count) : -1;
  for (int e = 0; e < count; e++) {
    const char *sync = PICK(c, syncs);
    text_addf(c->text, "%sl%d -> l%d { ", e ? ",\n" : "", below(c, c->locations),
              below(c, c->locations));
    const char *clock =
        below(c, 2) && !(*sync == 'd' || *sync == 'c') ? PICK(c, clock_guards) : "";
    const char *guard = below(c, 2) ? PICK(c, guards) : "";
    const char *odd = e == wound && below(c, 2) ? "id < 2" : "";
    if (*clock || *guard || *odd)
      text_addf(c->text, "guard %s%s%s%s%s; ", clock, *clock && *guard ? " && " : "", guard,
                (*clock || *guard) && *odd ? " && " : "", odd);
    if (*sync)
      text_addf(c->text, "sync %s; ", sync);
    if (below(c, 3))
      text_addf(c->text, "assign %s%s; ", PICK(c, updates), below(c, 2) ? ", x = 0" : "");
    text_add(c->text, "}");
  }
  text_add(c->text, ";\n}\n");
}

static void put_uppaal_server(Copies *c) {
  text_add(c->text, "process S() {\nclock y;\nstate a, z;\ninit a;\ntrans\n");
  text_addf(c->text, "a -> %s { select i : id_t; sync c[i]?; assign owner = i; },\n",
            below(c, 2) ? "a" : "z");
  text_addf(c->text, "z -> a { guard y >= 1; %sassign y = 0; },\n",
            below(c, 2)   ? "sync b!; "
            : below(c, 2) ? "sync d?; "
                          : "");
  text_addf(c->text, "z -> z { %ssync e?; assign g = %d; },\na -> z { sync d!; }",
            below(c, 2) ? "guard owner != g; " : "", below(c, 3));
  text_add(c->text, ";\n}\n");
}

void copies_uppaal(Copies *c) {
  const bool is_broken = below(c, 3) == 0;
  c->copies = 2 + random_below(c->random, 2);
  put_declarations(c, below(c, 3) - 1, is_broken);
  put_template(c, is_broken);
  put_uppaal_server(c);
  text_addf(c->text, "system P%sS;\n", below(c, 5) ? ", " : below(c, 2) ? " < " : ", ");
}

void copies_uppaal_query(Copies *c, char *text, size_t size) {
  const uint32_t l = random_below(c->random, c->locations),
                 m = random_below(c->random, c->locations);
  switch (below(c, 4)) {
  case 3:
    snprintf(text, size, "%s (sum (i : id_t) P(i).l%u%s)%s %s %d", below(c, 2) ? "E<>" : "A[]", l,
             below(c, 2)   ? " + flag[i]"
             : below(c, 2) ? " * flag[i]"
                           : "",
             below(c, 2) ? " + g" : "", comparisons[below(c, 6)], below(c, 4));
    return;
  case 0:
    snprintf(text, size, "E<> exists (i : id_t) exists (j : id_t) i != j && P(i).l%u && P(j).l%u",
             l, m);
    return;
  case 1:
    snprintf(text, size, "E<> exists (i : id_t) P(i).l%u && owner == i && P(i).x >= %d", l,
             below(c, 3));
    return;
  default:
    snprintf(text, size, "A[] forall (i : id_t) not (P(i).l%u && flag[i] == 1 && g == %d)", l,
             below(c, 3));
  }
}
