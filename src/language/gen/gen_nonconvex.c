// The small automata of the non-convex paper: three that show what bounds computed on the fly
// gain, and its Figure 1. Its benchmarks csma, fddi and fischer are in gen_orders.c.
#include "language/gen/gen_family.h"

// The big constant guards an edge that waits for a partner that never comes.
void gen_a1(Gen *gen) {
  gen_add(gen,
          "system:A1\nevent:tau\nevent:a\n"
          "process:P\n"
          "clock:1:x\nclock:1:y\n"
          "location:P:q0{initial:}\nlocation:P:q1{}\nlocation:P:q2{}\n"
          "edge:P:q0:q0:tau{provided:x==1 : do:x=0}\n"
          "edge:P:q0:q1:a{provided:y>=$b}\n"
          "edge:P:q0:q2:tau{provided:y<=10}\n"
          "process:Q\n"
          "location:Q:r{initial:}\n"
          "sync:P@a:Q@a\n",
          "b", gen_number(gen, "bound"));
}

// The big constant lies behind a guard that no clock value satisfies. Swapped, the loop is
// declared after the edge that leaves it, which halves the nodes of a depth-first search.
void gen_a2(Gen *gen) {
  const char *loop = "edge:P:q0:q0:tau{provided:x==5 : do:x=0}\n";
  const bool swapped = gen_number(gen, "swapped");
  text_add(gen->out, "system:A2\nevent:tau\n"
                     "process:P\n"
                     "clock:1:x\nclock:1:y\n"
                     "location:P:q0{initial:}\nlocation:P:q1{}\nlocation:P:q2{}\n"
                     "location:P:q3{}\n");
  if (!swapped)
    text_add(gen->out, loop);
  text_add(gen->out, "edge:P:q0:q1:tau{provided:y>20&&x<=0}\n");
  if (swapped)
    text_add(gen->out, loop);
  gen_add(gen,
          "edge:P:q1:q2:tau{provided:x<1&&x>2}\n"
          "edge:P:q2:q3:tau{provided:y>=$b}\n",
          "b", gen_number(gen, "bound"));
}

// The big constant lies behind an integer that never reaches 10.
void gen_a3(Gen *gen) {
  gen_add(gen,
          "system:A3\nevent:tau\n"
          "int:1:0:10:0:n\n"
          "process:P\n"
          "clock:1:x\nclock:1:y\n"
          "location:P:q0{initial:}\nlocation:P:q1{}\nlocation:P:q2{}\n"
          "location:P:q3{}\nlocation:P:q4{}\n"
          "edge:P:q0:q0:tau{provided:x==1 : do:x=0}\n"
          "edge:P:q0:q1:tau{provided:y<=10}\n"
          "edge:P:q0:q2:tau{provided:n==10}\n"
          "edge:P:q1:q2:tau{provided:n==10}\n"
          "edge:P:q1:q4:tau{}\n"
          "edge:P:q2:q3:tau{provided:y>=$b}\n",
          "b", gen_number(gen, "bound"));
}

// Not the paper's drawing, which we do not have, but an automaton with all that its text says
// of it: the bounds are x 14 and y 1000000 overall, and 5 is enough for y in q2.
void gen_fig1(Gen *gen) {
  gen_add(gen,
          "system:fig1\nevent:tau\n"
          "process:P\n"
          "clock:1:x\nclock:1:y\n"
          "location:P:q0{initial:}\nlocation:P:q1{}\nlocation:P:q2{}\n"
          "location:P:q3{labels:final}\n"
          "edge:P:q0:q0:tau{provided:x==14 : do:x=0}\n"
          "edge:P:q0:q1:tau{provided:y>=$b}\n"
          "edge:P:q0:q2:tau{do:y=0}\n"
          "edge:P:q2:q2:tau{provided:y>=5 : do:y=0}\n"
          "edge:P:q2:q3:tau{provided:x>=14&&y<=5}\n",
          "b", gen_number(gen, "bound"));
}
