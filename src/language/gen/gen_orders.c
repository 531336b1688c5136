// The benchmarks of the search-order paper; the others use some of them too. Names and order of
// declarations are part of the benchmark: they decide how many nodes a search visits.
#include "language/gen/gen_family.h"

// Fischer's protocol up to the test after waiting; lynch goes on differently from there.
static void fischer_begin(Gen *gen, int i, int k) {
  gen_add(gen,
          "edge:P$i:A:req:tau{provided:id==0 : do:x$i=0}\n"
          "edge:P$i:req:wait:tau{provided:x$i<=$k : do:x$i=0;id=$i}\n"
          "edge:P$i:wait:req:tau{provided:id==0 : do:x$i=0}\n",
          "ik", i, k);
}

static void fischer_process(Gen *gen, int i, int k, bool buggy) {
  gen_add(gen,
          "process:P$i\n"
          "clock:1:x$i\n"
          "location:P$i:A{initial:}\n"
          "location:P$i:req{invariant:x$i<=$k}\n"
          "location:P$i:wait{}\n"
          "location:P$i:cs{labels:cs$i}\n",
          "ik", i, k);
  fischer_begin(gen, i, k);
  gen_add(gen,
          buggy ? "edge:P$i:wait:cs:tau{provided:x$i>=$k&&id==$i}\n"
                : "edge:P$i:wait:cs:tau{provided:x$i>$k&&id==$i}\n",
          "ik", i, k);
  gen_add(gen, "edge:P$i:cs:A:tau{do:id=0}\n", "i", i);
}

void gen_fischer(Gen *gen) {
  const int n = gen_number(gen, "n"), k = gen_number(gen, "k");
  const bool buggy = gen_number(gen, "buggy");
  gen_add(gen, buggy ? "system:fischer_buggy_$n_$k\n" : "system:fischer_$n_$k\n", "nk", n, k);
  gen_add(gen, "event:tau\nint:1:0:$n:0:id\n", "n", n);
  for (int i = 1; i <= n; i++)
    fischer_process(gen, i, k, buggy);
}

static void lynch_process(Gen *gen, int i, int k) {
  gen_add(gen,
          "process:P$i\n"
          "clock:1:x$i\n"
          "location:P$i:A{initial:}\n"
          "location:P$i:req{invariant:x$i<=$k}\n"
          "location:P$i:wait{}\n"
          "location:P$i:test{}\n"
          "location:P$i:set{}\n"
          "location:P$i:check{}\n"
          "location:P$i:cs{labels:cs$i}\n"
          "location:P$i:clr{}\n"
          "location:P$i:rel{}\n",
          "ik", i, k);
  fischer_begin(gen, i, k);
  gen_add(gen,
          "edge:P$i:wait:test:tau{provided:x$i>$k&&id==$i}\n"
          "edge:P$i:test:set:tau{provided:v2==0}\n"
          "edge:P$i:set:check:tau{do:v2=1}\n"
          "edge:P$i:check:cs:tau{provided:id==$i}\n"
          "edge:P$i:check:A:tau{provided:id!=$i}\n"
          "edge:P$i:cs:clr:tau{}\n"
          "edge:P$i:clr:rel:tau{do:v2=0}\n"
          "edge:P$i:rel:A:tau{do:id=0}\n",
          "ik", i, k);
}

void gen_lynch(Gen *gen) {
  const int n = gen_number(gen, "n"), k = gen_number(gen, "k");
  gen_add(gen, "system:lynch_$n_$k\nevent:tau\nint:1:0:$n:0:id\nint:1:0:1:0:v2\n", "nk", n, k);
  for (int i = 1; i <= n; i++)
    lynch_process(gen, i, k);
}

// Orders: the search-order paper's. Nonconvex: a retrying station does not hear a busy bus.
// Relay: the bus tells one station after the other of a collision, in a committed location.
enum { CSMA_ORDERS, CSMA_NONCONVEX, CSMA_RELAY };

static void csma_bus(Gen *gen, int n, int sigma, bool relay) {
  gen_add(gen,
          "process:Bus\n"
          "clock:1:y\n"
          "location:Bus:Idle{initial:}\n"
          "location:Bus:Active{}\n"
          "location:Bus:Collision{invariant:y<$s}\n",
          "s", sigma);
  if (relay)
    gen_add(gen, "int:1:1:$m:1:next\nlocation:Bus:Tell{committed:}\n", "m", n + 1);
  gen_add(gen,
          "edge:Bus:Idle:Active:begin{do:y=0}\n"
          "edge:Bus:Active:Collision:begin{provided:y<$s : do:y=0}\n"
          "edge:Bus:Active:Active:busy{provided:y>=$s}\n"
          "edge:Bus:Active:Idle:end{do:y=0}\n",
          "s", sigma);
  if (!relay) {
    gen_add(gen, "edge:Bus:Collision:Idle:cd{provided:y<$s : do:y=0}\n", "s", sigma);
    return;
  }
  gen_add(gen,
          "edge:Bus:Collision:Tell:tau{provided:y<$s}\n"
          "edge:Bus:Tell:Idle:tau{provided:next==$m : do:y=0;next=1}\n",
          "sm", sigma, n + 1);
  for (int i = 1; i <= n; i++)
    gen_add(gen, "edge:Bus:Tell:Tell:cd$i{provided:next==$i : do:next=next+1}\n", "i", i);
}

static void csma_station(Gen *gen, int i, int lambda, int sigma, bool hears_busy) {
  gen_add(gen,
          "process:Station$i\n"
          "clock:1:x$i\n"
          "location:Station$i:Wait{initial:}\n"
          "location:Station$i:Start{invariant:x$i<=$l}\n"
          "location:Station$i:Retry{invariant:x$i<$t}\n"
          "edge:Station$i:Wait:Start:begin{do:x$i=0}\n"
          "edge:Station$i:Wait:Retry:busy{do:x$i=0}\n"
          "edge:Station$i:Wait:Wait:cd{do:x$i=0}\n"
          "edge:Station$i:Wait:Retry:cd{do:x$i=0}\n"
          "edge:Station$i:Start:Wait:end{provided:x$i==$l : do:x$i=0}\n"
          "edge:Station$i:Start:Retry:cd{provided:x$i<$s : do:x$i=0}\n"
          "edge:Station$i:Retry:Start:begin{provided:x$i<$t : do:x$i=0}\n",
          "ilst", i, lambda, sigma, 2 * sigma);
  if (hears_busy)
    gen_add(gen, "edge:Station$i:Retry:Retry:busy{provided:x$i<$t : do:x$i=0}\n", "it", i,
            2 * sigma);
  gen_add(gen, "edge:Station$i:Retry:Retry:cd{provided:x$i<$t : do:x$i=0}\n", "it", i, 2 * sigma);
}

static void csma_syncs(Gen *gen, int n, bool relay) {
  for (int i = 1; i <= n; i++)
    gen_add(gen,
            "sync:Bus@begin:Station$i@begin\n"
            "sync:Bus@busy:Station$i@busy\n"
            "sync:Bus@end:Station$i@end\n",
            "i", i);
  if (relay) {
    for (int i = 1; i <= n; i++)
      gen_add(gen, "sync:Bus@cd$i:Station$i@cd\n", "i", i);
    return;
  }
  text_add(gen->out, "sync:Bus@cd");
  for (int i = n; i >= 1; i--)
    gen_add(gen, ":Station$i@cd", "i", i);
  text_add(gen->out, "\n");
}

void gen_csma(Gen *gen) {
  const int n = gen_number(gen, "n"), variant = gen_number(gen, "variant");
  const int lambda = gen_number(gen, "lambda"), sigma = gen_number(gen, "sigma");
  const bool relay = variant == CSMA_RELAY;
  gen_add(gen, relay ? "system:csmacd_relay_$n_$l_$s\nevent:tau\n" : "system:csmacd_$n_$l_$s\n",
          "nls", n, lambda, sigma);
  text_add(gen->out, "event:begin\nevent:busy\nevent:end\nevent:cd\n");
  for (int i = 1; relay && i <= n; i++)
    gen_add(gen, "event:cd$i\n", "i", i);
  csma_bus(gen, n, sigma, relay);
  for (int i = 1; i <= n; i++)
    csma_station(gen, i, lambda, sigma, variant != CSMA_NONCONVEX);
  csma_syncs(gen, n, relay);
}

// A station of the token ring: q0..q3 with the token coming in time or late, then q4..q7 the
// same with the two clocks of the rotation before last exchanged.
static void fddi_station(Gen *gen, int i, int ttrt, int sa) {
  gen_add(gen,
          "process:P$i\n"
          "clock:1:trt$i\n"
          "clock:1:xA$i\n"
          "clock:1:xB$i\n"
          "location:P$i:q0{initial:}\n"
          "location:P$i:q1{invariant:trt$i<=$s}\n"
          "location:P$i:q2{invariant:trt$i<=$s}\n"
          "location:P$i:q3{invariant:xA$i<=$h}\n"
          "location:P$i:q4{}\n"
          "location:P$i:q5{invariant:trt$i<=$s}\n"
          "location:P$i:q6{invariant:trt$i<=$s}\n"
          "location:P$i:q7{invariant:xB$i<=$h}\n"
          "edge:P$i:q0:q1:TT{provided:trt$i>=$t : do:trt$i=0;xB$i=0}\n"
          "edge:P$i:q0:q2:TT{provided:trt$i<$t : do:trt$i=0;xB$i=0}\n"
          "edge:P$i:q1:q4:RT{provided:trt$i==$s}\n"
          "edge:P$i:q2:q3:tau{provided:trt$i==$s}\n"
          "edge:P$i:q3:q4:RT{}\n"
          "edge:P$i:q4:q5:TT{provided:trt$i>=$t : do:trt$i=0;xA$i=0}\n"
          "edge:P$i:q4:q6:TT{provided:trt$i<$t : do:trt$i=0;xA$i=0}\n"
          "edge:P$i:q5:q0:RT{provided:trt$i==$s}\n"
          "edge:P$i:q6:q7:tau{provided:trt$i==$s}\n"
          "edge:P$i:q7:q0:RT{}\n",
          "isth", i, sa, ttrt, ttrt + sa);
}

static void fddi_ring(Gen *gen, int n, int td) {
  text_add(gen->out, "process:R\nclock:1:t\n");
  for (int i = 1; i <= n; i++)
    gen_add(gen,
            i == 1 ? "location:R:q$i{initial: : invariant:t<=$d}\nlocation:R:r$i{}\n"
                   : "location:R:q$i{invariant:t<=$d}\nlocation:R:r$i{}\n",
            "id", i, td);
  for (int i = 1; i <= n; i++)
    gen_add(gen,
            "edge:R:q$i:r$i:TT$i{provided:t==$d}\n"
            "edge:R:r$i:q$j:RT$i{do:t=0}\n",
            "ijd", i, i % n + 1, td);
}

void gen_fddi(Gen *gen) {
  const int n = gen_number(gen, "n"), sa = gen_number(gen, "sa"), td = gen_number(gen, "td");
  gen_add(gen, "system:fddi_$n\nevent:tau\nevent:TT\nevent:RT\n", "n", n);
  for (int i = 1; i <= n; i++)
    gen_add(gen, "event:TT$i\nevent:RT$i\n", "i", i);
  for (int i = 1; i <= n; i++)
    fddi_station(gen, i, 50 * n, sa);
  fddi_ring(gen, n, td);
  for (int i = 1; i <= n; i++)
    gen_add(gen, "sync:P$i@TT:R@TT$i\nsync:P$i@RT:R@RT$i\n", "i", i);
}

static void region_cell(Gen *gen, int i, int t, bool safe_label) {
  gen_add(gen,
          "process:cell$i\n"
          "clock:1:x$i\n"
          "location:cell$i:not_ready{initial:}\n"
          "location:cell$i:testing{invariant:x$i<=$t}\n"
          "location:cell$i:requesting{}\n"
          "location:cell$i:critical{invariant:x$i<=$d}\n"
          "location:cell$i:testing2{invariant:x$i<=$t}\n",
          "itd", i, t, 2 * t);
  gen_add(gen, safe_label ? "location:cell$i:safe{labels:safe$i}\n" : "location:cell$i:safe{}\n",
          "i", i);
  gen_add(gen,
          "location:cell$i:error{labels:error$i}\n"
          "edge:cell$i:not_ready:testing:tau{provided:x$i<=$d : do:x$i=0}\n"
          "edge:cell$i:testing:not_ready:tau{provided:x$i>=$t : do:x$i=0}\n"
          "edge:cell$i:testing:requesting:tau{provided:x$i<=$s}\n"
          "edge:cell$i:requesting:critical:enter$i{do:x$i=0}\n"
          "edge:cell$i:critical:error:tau{provided:x$i>=$d}\n"
          "edge:cell$i:critical:testing2:exit$i{provided:x$i<=$s : do:x$i=0}\n"
          "edge:cell$i:testing2:error:tau{provided:x$i>=$t}\n"
          "edge:cell$i:testing2:safe:tau{provided:x$i<=$s}\n",
          "itds", i, t, 2 * t, t - 1);
}

// The variable `id` is shared by all.
static void region_shared(Gen *gen, int n) {
  gen_add(gen,
          "int:1:0:$n:0:id\n"
          "process:counter\n"
          "location:counter:I{initial:}\n"
          "location:counter:C{}\n"
          "edge:counter:I:C:tau{provided:id==0 : do:id=1}\n"
          "edge:counter:C:C:tau{provided:id>0&&id<$n : do:id=id+1}\n"
          "edge:counter:C:C:tau{provided:id==$n : do:id=1}\n",
          "n", n);
  for (int i = 1; i <= n; i++)
    gen_add(gen,
            "process:arbiter$i\n"
            "location:arbiter$i:req{initial:}\n"
            "location:arbiter$i:ack{}\n"
            "edge:arbiter$i:req:ack:enter$i{provided:id==$i : do:id=0}\n"
            "edge:arbiter$i:ack:req:exit$i{do:id=$i}\n",
            "i", i);
}

// The variable `id` belongs to a process of its own: the others reach it by synchronisation.
static void region_asynchronous(Gen *gen, int n) {
  gen_add(gen,
          "event:eq0\nevent:lt\nevent:eqN\n"
          "process:ID\n"
          "int:1:0:$n:0:id\n"
          "location:ID:l{initial:}\n"
          "edge:ID:l:l:eq0{provided:id==0 : do:id=1}\n"
          "edge:ID:l:l:lt{provided:id<$n : do:id=id+1}\n"
          "edge:ID:l:l:eqN{provided:id==$n : do:id=1}\n",
          "n", n);
  for (int i = 1; i <= n; i++)
    gen_add(gen,
            "edge:ID:l:l:enter$i{provided:id==$i : do:id=0}\n"
            "edge:ID:l:l:exit$i{do:id=$i}\n",
            "i", i);
  text_add(gen->out, "process:counter\n"
                     "location:counter:I{initial:}\n"
                     "location:counter:C{}\n"
                     "edge:counter:I:C:eq0\n"
                     "edge:counter:C:C:lt\n"
                     "edge:counter:C:C:eqN\n");
  for (int i = 1; i <= n; i++)
    gen_add(gen,
            "process:arbiter$i\n"
            "location:arbiter$i:req{initial:}\n"
            "location:arbiter$i:ack{}\n"
            "edge:arbiter$i:req:ack:enter$i{}\n"
            "edge:arbiter$i:ack:req:exit$i{}\n",
            "i", i);
}

void gen_critical_region(Gen *gen) {
  const int n = gen_number(gen, "n"), t = gen_number(gen, "t");
  const bool asynchronous = gen_number(gen, "variant") != 0;
  gen_add(gen,
          asynchronous ? "system:critical_region_concur19_$n\nevent:tau\n"
                       : "system:critical_region_$n_$t\nevent:tau\n",
          "nt", n, t);
  for (int i = 1; i <= n; i++)
    gen_add(gen, "event:enter$i\nevent:exit$i\n", "i", i);
  if (asynchronous)
    region_asynchronous(gen, n);
  else
    region_shared(gen, n);
  for (int i = 1; i <= n; i++)
    region_cell(gen, i, t, asynchronous);
  if (asynchronous)
    text_add(gen->out, "sync:counter@eq0:ID@eq0\n"
                       "sync:counter@lt:ID@lt\n"
                       "sync:counter@eqN:ID@eqN\n");
  for (int i = 1; i <= n; i++)
    gen_add(gen,
            asynchronous ? "sync:arbiter$i@enter$i:cell$i@enter$i:ID@enter$i\n"
                           "sync:arbiter$i@exit$i:cell$i@exit$i:ID@exit$i\n"
                         : "sync:arbiter$i@enter$i:cell$i@enter$i\n"
                           "sync:arbiter$i@exit$i:cell$i@exit$i\n",
            "i", i);
}

// A ladder whose rungs are reached by a short way with a small zone and a longer one with a
// bigger zone: breadth first visits exponentially many nodes that it drops later.
void gen_blowup(Gen *gen) {
  const int n = gen_number(gen, "n");
  gen_add(gen, "system:blowup_$n\nevent:tau\nprocess:P\n", "n", n);
  for (int i = 1; i <= n; i++)
    gen_add(gen, "clock:1:x$i\n", "i", i);
  text_add(gen->out, "clock:1:y\nlocation:P:q1{initial:}\n");
  for (int i = 2; i <= 2 * n + 1; i++)
    gen_add(gen, "location:P:q$i{}\n", "i", i);
  text_add(gen->out, "location:P:qf{labels:final}\n");
  for (int i = 1; i <= n; i++)
    gen_add(gen,
            "edge:P:q$a:q$c:tau{provided:y>1 : do:y=0}\n"
            "edge:P:q$a:q$b:tau{do:y=0}\n"
            "edge:P:q$b:q$c:tau{do:x$i=0}\n",
            "iabc", i, 2 * i - 1, 2 * i, 2 * i + 1);
  gen_add(gen, "edge:P:q$l:qf:tau{provided:", "l", 2 * n + 1);
  for (int i = 1; i <= n; i++)
    gen_add(gen, "x$i<=$n&&", "in", i, n);
  gen_add(gen, "y>$n&&y<=$m}\n", "nm", n, 5 * n);
}
