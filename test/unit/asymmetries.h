// Families that are no symmetries, each by one rule of analysis/symmetry/rules.h, and some that
// are: for the verification of the search and for that of the checker.
#pragma once

#include "analysis/symmetry/rules.h"
#include "families.h"

#define HEAD                                                                                     \
  "system:s\nevent:tau\nevent:a\nevent:b\nevent:c\nclock:1:x\nclock:1:y\nint:1:0:2:0:id\n"       \
  "process:P\nprocess:Q\nprocess:R\nlocation:P:A{initial:}\nlocation:Q:A{initial:}\n"
#define TWO HEAD "location:P:B{}\nlocation:Q:B{}\nlocation:R:C{initial:}\n"

typedef struct Case {
  SymmetryRule rule;
  const char *model;
  Draft draft;
} Case;

#define PQ .size = 2, .processes = "P Q", .clocks = "x y"

static const Case asymmetric_cases[] = {
    {RULE_LOCATIONS,
     HEAD "location:P:B{committed:}\nlocation:Q:B{}\nlocation:R:C{initial:}\nedge:P:A:B:tau\n"
          "edge:Q:A:B:tau\nedge:P:B:A:tau\nedge:Q:B:A:tau\n",
     {PQ}},
    {RULE_RANGES,
     TWO "int:1:0:1:0:u\nint:1:0:2:0:v\nedge:P:A:A:tau{do:u=u+1}\nedge:Q:A:A:tau{do:v=v+1}\n",
     {PQ, .slots = "u v"}},
    {RULE_INVARIANTS,
     HEAD "location:P:B{invariant:x<=1}\nlocation:Q:B{invariant:y<=2}\nlocation:R:C{initial:}\n"
          "edge:P:A:B:tau\nedge:Q:A:B:tau\n",
     {PQ}},
    {RULE_GUARDS, TWO "edge:P:A:B:tau{provided:x<=1}\nedge:Q:A:B:tau{provided:y<=2}\n", {PQ}},
    {RULE_UPDATES, TWO "edge:P:A:B:tau{do:x=0}\nedge:Q:A:B:tau{do:y=1}\n", {PQ}},
    {RULE_PLAIN,
     TWO "edge:P:A:B:tau{do:id=1}\nedge:Q:A:B:tau{do:id=2}\nedge:R:C:C:tau{provided:id<2}\n",
     {PQ, .ids = "id", .values = {1, 2}}},
    {RULE_INDICES,
     TWO "int:3:0:1:0:v\nedge:P:A:B:tau{provided:v[id]==0 : do:id=1;v[1]=1}\n"
         "edge:Q:A:B:tau{provided:v[id]==0 : do:id=2;v[2]=1}\nedge:R:C:C:tau{provided:v[1]==1}\n",
     {PQ, .ids = "id", .values = {1, 2}, .slots = NULL}},
    {RULE_SYNCS,
     TWO "location:R:D{}\nedge:P:A:B:a\nedge:Q:A:B:a\nedge:R:C:C:b\nedge:R:C:D:c\n"
         "sync:P@a:R@b\nsync:Q@a:R@c\n",
     {PQ}},
    {RULE_WEAK,
     TWO "location:R:D{}\nedge:P:A:B:a\nedge:Q:A:B:a\nedge:R:C:D:b\nsync:P@a:R@b?\n"
         "sync:Q@a:R@b\n",
     {PQ}},
    {RULE_ORDER,
     TWO "int:1:0:2:1:u\nint:1:0:2:2:v\nedge:P:A:B:a{do:u=v}\nedge:Q:A:B:a{do:v=u}\n"
         "sync:P@a:Q@a\n",
     {PQ, .slots = "u v"}},
    {RULE_EVENTS,
     TWO "location:R:D{}\nedge:P:A:B:a\nedge:Q:A:B:b\nedge:R:C:D:c\nsync:P@a:R@c\n"
         "sync:Q@a:R@c\n",
     {PQ}},
    {RULE_CLOSED,
     TWO "location:R:D{}\nedge:P:A:B:tau{do:id=1}\nedge:Q:A:B:tau{do:id=2}\n"
         "edge:R:C:D:tau{do:id=1}\nedge:R:D:C:tau\n",
     {PQ, .ids = "id", .values = {1, 2}}},
    {RULE_TABLES,
     TWO "process:S\nlocation:S:C{initial:}\nedge:P:A:B:tau{do:id=1}\nedge:Q:A:B:tau{do:id=2}\n"
         "edge:S:C:C:a{do:id=0}\nedge:R:C:C:a{provided:id>0&&id<2 : do:id=id+1}\n"
         "edge:R:C:C:a{provided:id==2 : do:id=1}\nsync:S@a:R@a\n",
     {PQ, .ids = "id", .values = {1, 2}}},
};

// Symmetries that the rules let pass.
static const Case symmetric_cases[] = {
    {0,
     TWO "edge:P:A:B:tau{provided:id==0&&x<=1 : do:id=1;x=0}\n"
         "edge:Q:A:B:tau{provided:id==0&&y<=1 : do:id=2;y=0}\nedge:R:C:C:tau{do:id=0}\n",
     {PQ, .ids = "id", .values = {1, 2}}},
    // Edges in another order; a relation of two edges; arithmetic that agrees by its values.
    {0,
     TWO "edge:P:A:B:tau{do:id=1}\nedge:P:A:B:tau{do:id=0}\nedge:Q:A:B:tau{do:id=0}\n"
         "edge:Q:A:B:tau{do:id=2}\nedge:R:C:C:tau{provided:id>0&&id<2 : do:id=id+1}\n"
         "edge:R:C:C:tau{provided:id==2 : do:id=1}\n",
     {PQ, .ids = "id", .values = {1, 2}}},
    // Participants in another order, which do not depend on each other.
    {0,
     TWO "int:1:0:2:1:u\nint:1:0:2:1:v\nedge:P:A:B:a{do:u=1;x=0}\nedge:Q:A:B:a{do:v=1;y=0}\n"
         "sync:P@a:Q@a\n",
     {PQ, .slots = "u v"}},
    // Only after the first step of R.
    {0,
     TWO "location:R:D{}\nedge:P:A:B:tau{do:id=1}\nedge:Q:A:B:tau{do:id=2}\n"
         "edge:R:C:D:tau{do:id=1}\n",
     {PQ, .ids = "id", .values = {1, 2}}},
    // Elements of an array that move with the index.
    {0,
     TWO "int:3:0:1:0:v\nedge:P:A:B:tau{provided:v[id]==0 : do:id=1;v[1]=1}\n"
         "edge:Q:A:B:tau{provided:v[id]==0 : do:id=2;v[2]=1}\n",
     {PQ, .ids = "id", .values = {1, 2}, .slots = "v[1] v[2]"}},
};
