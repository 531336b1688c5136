// The benchmarks of the local-time paper (its critical region is in gen_orders.c), and poll,
// which shows the gain of our finer rule for reads of shared variables.
#include "language/gen/gen_family.h"

// Single sign-on: a client chooses one of two policies, collects that many authorisations, at
// least 2 time units apart, and gets access if all happened within 10. Nobody interacts.
void gen_corsso(Gen *gen) {
  const int n = gen_number(gen, "n");
  gen_add(gen, "system:corsso_$n\nevent:tau\n", "n", n);
  for (int i = 1; i <= n; i++) {
    gen_add(gen,
            "process:P$i\n"
            "clock:1:x$i\n"
            "clock:1:y$i\n"
            "int:1:0:3:0:a$i\n"
            "int:1:0:3:0:p$i\n"
            "location:P$i:auth{initial:}\n"
            "location:P$i:access{labels:access$i}\n"
            "edge:P$i:auth:auth:tau{provided:p$i>0&&x$i>2&&a$i<2 : do:a$i=a$i+1;x$i=0}\n",
            "i", i);
    for (int policy = 1; policy <= 2; policy++)
      gen_add(gen,
              "edge:P$i:auth:auth:tau{provided:p$i==0 : do:p$i=$p;a$i=0;x$i=0;y$i=0}\n"
              "edge:P$i:auth:access:tau{provided:y$i<10&&p$i==$p&&a$i>=$p}\n",
              "ip", i, policy);
    gen_add(gen, "edge:P$i:access:auth:tau{do:p$i=0}\n", "i", i);
  }
}

// Philosopher i takes the fork of its neighbour h first, gives it back after the timeout.
static void philosopher(Gen *gen, int i, int h, int timeout, int meal) {
  gen_add(gen,
          "process:P$i\n"
          "clock:1:x$i\n"
          "location:P$i:idle{initial:}\n"
          "location:P$i:acq{invariant:x$i<=$t}\n"
          "location:P$i:eat{invariant:x$i<=$m : labels:eating$i}\n"
          "location:P$i:rel{invariant:x$i<=0}\n"
          "edge:P$i:idle:acq:take$h{do:x$i=0}\n"
          "edge:P$i:acq:idle:rel$h{provided:x$i>=$t}\n"
          "edge:P$i:acq:eat:take$i{provided:x$i<=$t : do:x$i=0}\n"
          "edge:P$i:eat:rel:rel$i{provided:x$i>=$m : do:x$i=0}\n"
          "edge:P$i:rel:idle:rel$h\n",
          "ihtm", i, h, timeout, meal);
}

void gen_philosophers(Gen *gen) {
  const int n = gen_number(gen, "n");
  gen_add(gen, "system:dining_$n\n", "n", n);
  for (int i = 1; i <= n; i++)
    gen_add(gen, "event:take$i\nevent:rel$i\n", "i", i);
  for (int i = 1; i <= n; i++)
    philosopher(gen, i, i == 1 ? n : i - 1, gen_number(gen, "timeout"), gen_number(gen, "meal"));
  for (int i = 1; i <= n; i++)
    gen_add(gen,
            "process:F$i\n"
            "location:F$i:free{initial:}\n"
            "location:F$i:taken\n"
            "edge:F$i:free:taken:take$i\n"
            "edge:F$i:taken:free:rel$i\n",
            "i", i);
  for (int i = 1; i <= n; i++)
    gen_add(gen,
            "sync:P$i@take$h:F$h@take$h\n"
            "sync:P$i@rel$h:F$h@rel$h\n"
            "sync:P$i@take$i:F$i@take$i\n"
            "sync:P$i@rel$i:F$i@rel$i\n",
            "ih", i, i == 1 ? n : i - 1);
}

void gen_parallel(Gen *gen) {
  const int n = gen_number(gen, "n");
  gen_add(gen, "system:parallel_$n\nevent:tau\nevent:acquire\nevent:release\n", "n", n);
  for (int i = 1; i <= n; i++)
    gen_add(gen,
            "process:P$i\n"
            "clock:1:x$i\n"
            "location:P$i:A{initial:}\n"
            "location:P$i:B{}\n"
            "location:P$i:C{invariant:x$i<=3 : labels:access$i}\n"
            "edge:P$i:A:B:tau{do:x$i=0}\n"
            "edge:P$i:B:A:tau{provided:x$i>=1}\n"
            "edge:P$i:B:C:acquire{provided:x$i<1 : do:x$i=0}\n"
            "edge:P$i:C:A:release{provided:x$i>=1}\n",
            "i", i);
  text_add(gen->out, "process:lock\n"
                     "clock:1:y\n"
                     "location:lock:U{initial:}\n"
                     "location:lock:L{}\n"
                     "edge:lock:U:L:acquire{provided:y>=1}\n"
                     "edge:lock:L:U:release{do:y=0}\n");
  for (int i = 1; i <= n; i++)
    gen_add(gen,
            "sync:P$i@acquire:lock@acquire\n"
            "sync:P$i@release:lock@release\n",
            "i", i);
}

// Each reader looks at the flag and, when it is down, rests between 1 and 2 time units. Global
// zones remember in which order the resting readers looked: 2 (n!/0! + n!/1! + ... + n!/n!)
// nodes. If reads need not be ordered among themselves, 2^(n+1) are enough.
void gen_poll(Gen *gen) {
  const int n = gen_number(gen, "n");
  gen_add(gen, "system:poll_$n\nevent:tau\nint:1:0:1:0:flag\n", "n", n);
  for (int i = 1; i <= n; i++)
    gen_add(gen,
            "process:R$i\n"
            "clock:1:x$i\n"
            "location:R$i:look{initial:}\n"
            "location:R$i:rest{labels:rest$i}\n"
            "edge:R$i:look:rest:tau{provided:flag==0 : do:x$i=0}\n"
            "edge:R$i:rest:look:tau{provided:x$i>=1&&x$i<=2}\n",
            "i", i);
  text_add(gen->out, "process:W\n"
                     "location:W:down{initial:}\n"
                     "location:W:up{labels:up}\n"
                     "edge:W:down:up:tau{do:flag=1}\n"
                     "edge:W:up:down:tau{do:flag=0}\n");
}
