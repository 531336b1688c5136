// Two larger models of our own, with arrays, loops and committed locations.
#include "language/gen/gen_family.h"

// A FlexRay-like physical layer. A sender writes frames to the bus, one bit per cell; after a
// change the bus reads as anything until it has settled. A receiver samples the bus several
// times per cell, takes the majority of the last samples, and reads (strobes) the result once
// per cell. Its bit clock, the number of the sample within the cell, is aligned on the falling
// edge that precedes each byte. Both clocks drift: every period may be off by `drift`. The
// question is whether the decoder can read a bit that was not sent (label error).
//
// A frame: 0 (start), 1 0 (byte start, with the falling edge), n bits of data, 0 1 (end).
typedef struct FlexRay {
  int bits, period, drift, settle, cell, strobe, window;
} FlexRay;

static FlexRay flexray_values(Gen *gen) {
  const FlexRay f = {.bits = gen_number(gen, "n"),
                     .period = gen_number(gen, "period"),
                     .drift = gen_number(gen, "drift"),
                     .settle = gen_number(gen, "settle"),
                     .cell = gen_number(gen, "cell"),
                     .strobe = gen_number(gen, "strobe"),
                     .window = gen_number(gen, "window")};
  const Place none = {0};
  if (f.drift >= f.period)
    report_error(gen->report, none, "drift must be less than period, which is %d", f.period);
  if (f.strobe > f.cell)
    report_error(gen->report, none, "strobe must be at most cell, which is %d", f.cell);
  if (f.window % 2 == 0)
    report_error(gen->report, none, "window must be odd, so that there is a majority");
  if (f.settle >= f.cell * (f.period - f.drift))
    report_error(gen->report, none, "settle must be less than the shortest cell, which is %d",
                 f.cell * (f.period - f.drift));
  return f;
}

// `data` has one cell more than there are bits, so that data[got] may be asked when all are in.
static void flexray_declare(Gen *gen, const FlexRay *f) {
  gen_add(gen,
          "system:flexray_$b\n"
          "event:tau\nevent:put0\nevent:put1\nevent:read0\nevent:read1\nevent:tick\n"
          "event:strobe0\nevent:strobe1\n"
          "int:$d:0:1:0:data\n"
          "int:$w:0:1:1:sample\n"
          "int:1:0:1:1:voted\n"
          "int:1:0:1:0:fell\n"
          "int:1:0:1:1:align\n",
          "bdw", f->bits, f->bits + 1, f->window);
}

// Bits of the frame leave one cell apart; between frames the bus is high for two cells or more.
static void flexray_sender(Gen *gen, const FlexRay *f) {
  const int low = f->cell * (f->period - f->drift), high = f->cell * (f->period + f->drift);
  gen_add(gen,
          "process:Sender\n"
          "clock:1:s\n"
          "int:1:0:$b:0:sent\n"
          "location:Sender:idle{initial:}\n"
          "location:Sender:start{invariant:s<=$h}\n"
          "location:Sender:byte1{invariant:s<=$h}\n"
          "location:Sender:bits{invariant:s<=$h}\n"
          "location:Sender:end0{invariant:s<=$h}\n"
          "edge:Sender:idle:start:put0{provided:s>=$t : do:s=0}\n"
          "edge:Sender:start:byte1:put1{provided:s>=$l : do:s=0}\n"
          "edge:Sender:byte1:bits:put0{provided:s>=$l : do:s=0}\n"
          "edge:Sender:bits:bits:put0"
          "{provided:s>=$l&&sent<$b : do:s=0;data[sent]=0;sent=sent+1}\n"
          "edge:Sender:bits:bits:put1"
          "{provided:s>=$l&&sent<$b : do:s=0;data[sent]=1;sent=sent+1}\n"
          "edge:Sender:bits:end0:put0{provided:s>=$l&&sent==$b : do:s=0;sent=0}\n"
          "edge:Sender:end0:idle:put1{provided:s>=$l : do:s=0}\n",
          "blht", f->bits, low, high, 2 * high);
}

static void flexray_bus(Gen *gen, int settle) {
  gen_add(gen,
          "process:Bus\n"
          "clock:1:b\n"
          "location:Bus:high{initial:}\n"
          "location:Bus:falling{invariant:b<=$s}\n"
          "location:Bus:low{}\n"
          "location:Bus:rising{invariant:b<=$s}\n"
          "edge:Bus:high:falling:put0{do:b=0}\n"
          "edge:Bus:high:high:put1{}\n"
          "edge:Bus:falling:low:tau{provided:b==$s}\n"
          "edge:Bus:low:low:put0{}\n"
          "edge:Bus:low:rising:put1{do:b=0}\n"
          "edge:Bus:rising:high:tau{provided:b==$s}\n"
          "edge:Bus:high:high:read1{}\n"
          "edge:Bus:low:low:read0{}\n"
          "edge:Bus:falling:falling:read0{}\n"
          "edge:Bus:falling:falling:read1{}\n"
          "edge:Bus:rising:rising:read0{}\n"
          "edge:Bus:rising:rising:read1{}\n",
          "s", settle);
}

static void flexray_sampler(Gen *gen, const FlexRay *f) {
  gen_add(gen,
          "process:Sampler\n"
          "clock:1:r\n"
          "location:Sampler:run{initial: : invariant:r<=$h}\n"
          "edge:Sampler:run:run:read0{provided:r>=$l : do:r=0}\n"
          "edge:Sampler:run:run:read1{provided:r>=$l : do:r=0}\n"
          "process:Voter\n"
          "location:Voter:run{initial:}\n",
          "lh", f->period - f->drift, f->period + f->drift);
  for (int bit = 0; bit < 2; bit++)
    gen_add(gen,
            "edge:Voter:run:run:read$v{do:local at = 0; local ones = $v; "
            "while at<$l do sample[at] = sample[at+1]; ones = ones+sample[at]; at = at+1 end; "
            "sample[$l] = $v; "
            "fell = (if voted==1 && ones<=$m then 1 else 0); "
            "voted = (if ones>$m then 1 else 0)}\n",
            "vlm", bit, f->window - 1, f->window / 2);
}

// After each sample the bit clock decides at once: align, strobe, or count on.
static void flexray_bit_clock(Gen *gen, const FlexRay *f) {
  gen_add(gen,
          "process:BitClock\n"
          "int:1:1:$c:1:count\n"
          "location:BitClock:run{initial:}\n"
          "location:BitClock:decide{committed:}\n"
          "edge:BitClock:run:decide:tick{}\n"
          "edge:BitClock:decide:run:tau{provided:fell*align==1 : do:fell=0;count=2}\n"
          "edge:BitClock:decide:run:tau"
          "{provided:fell*align==0&&count!=$s : do:fell=0;count=count%$c+1}\n"
          "edge:BitClock:decide:run:strobe0"
          "{provided:fell*align==0&&count==$s&&voted==0 : do:fell=0;count=count%$c+1}\n"
          "edge:BitClock:decide:run:strobe1"
          "{provided:fell*align==0&&count==$s&&voted==1 : do:fell=0;count=count%$c+1}\n",
          "cs", f->cell, f->strobe);
}

static void flexray_decoder(Gen *gen, int bits) {
  gen_add(gen,
          "process:Decoder\n"
          "int:1:0:$b:0:got\n"
          "location:Decoder:idle{initial:}\n"
          "location:Decoder:start{}\n"
          "location:Decoder:byte1{}\n"
          "location:Decoder:bits{}\n"
          "location:Decoder:end0{}\n"
          "location:Decoder:error{labels:error}\n"
          "edge:Decoder:idle:idle:strobe1{}\n"
          "edge:Decoder:idle:start:strobe0{do:align=0}\n"
          "edge:Decoder:start:byte1:strobe1{do:align=1}\n"
          "edge:Decoder:start:error:strobe0{}\n"
          "edge:Decoder:byte1:bits:strobe0{do:align=0}\n"
          "edge:Decoder:byte1:error:strobe1{}\n",
          "b", bits);
  for (int bit = 0; bit < 2; bit++)
    gen_add(gen,
            "edge:Decoder:bits:bits:strobe$v"
            "{provided:got<$b&&data[got]==$v : do:data[got]=0;got=got+1}\n"
            "edge:Decoder:bits:error:strobe$v{provided:got<$b&&data[got]!=$v}\n",
            "bv", bits, bit);
  gen_add(gen,
          "edge:Decoder:bits:end0:strobe0{provided:got==$b : do:got=0}\n"
          "edge:Decoder:bits:error:strobe1{provided:got==$b}\n"
          "edge:Decoder:end0:idle:strobe1{do:align=1}\n"
          "edge:Decoder:end0:error:strobe0{}\n",
          "b", bits);
}

void gen_flexray(Gen *gen) {
  const FlexRay f = flexray_values(gen);
  flexray_declare(gen, &f);
  flexray_sender(gen, &f);
  flexray_bus(gen, f.settle);
  flexray_sampler(gen, &f);
  flexray_bit_clock(gen, &f);
  flexray_decoder(gen, f.bits);
  text_add(gen->out, "sync:Sender@put0:Bus@put0\n"
                     "sync:Sender@put1:Bus@put1\n"
                     "sync:Sampler@read0:Bus@read0:Voter@read0:BitClock@tick\n"
                     "sync:Sampler@read1:Bus@read1:Voter@read1:BitClock@tick\n"
                     "sync:BitClock@strobe0:Decoder@strobe0\n"
                     "sync:BitClock@strobe1:Decoder@strobe1\n");
}

// Trains share a bridge. One that comes while it is taken is told to stop, which it can during
// its first 10 time units, and queues; when the bridge is free the first in the queue goes.
static void train(Gen *gen, int i) {
  gen_add(gen,
          "process:Train$i\n"
          "clock:1:x$i\n"
          "location:Train$i:away{initial:}\n"
          "location:Train$i:near{invariant:x$i<=20}\n"
          "location:Train$i:halted{labels:halted$i}\n"
          "location:Train$i:restart{invariant:x$i<=15}\n"
          "location:Train$i:bridge{invariant:x$i<=5 : labels:bridge$i}\n"
          "edge:Train$i:away:near:come{do:x$i=0}\n"
          "edge:Train$i:near:bridge:tau{provided:x$i>=10 : do:x$i=0}\n"
          "edge:Train$i:near:halted:stop{provided:x$i<=10}\n"
          "edge:Train$i:halted:restart:go{do:x$i=0}\n"
          "edge:Train$i:restart:bridge:tau{provided:x$i>=7 : do:x$i=0}\n"
          "edge:Train$i:bridge:away:leave{provided:x$i>=3}\n",
          "i", i);
}

// The queue holds the trains that came and have not left, the one on the bridge first.
static void gate(Gen *gen, int n) {
  text_add(gen->out, "process:Gate\n"
                     "location:Gate:free{initial:}\n"
                     "location:Gate:taken{}\n"
                     "location:Gate:halt{committed:}\n"
                     "location:Gate:next{committed:}\n"
                     "edge:Gate:next:free:tau{provided:waiting==0}\n");
  for (int i = 1; i <= n; i++)
    gen_add(gen,
            "edge:Gate:free:taken:come$i{do:queue[waiting]=$i;waiting=waiting+1}\n"
            "edge:Gate:taken:halt:come$i{do:queue[waiting]=$i;waiting=waiting+1}\n"
            "edge:Gate:halt:taken:stop$i{provided:queue[waiting-1]==$i}\n"
            "edge:Gate:taken:next:leave$i{provided:queue[0]==$i : do:"
            "local at = 0; waiting = waiting-1; "
            "while at<waiting do queue[at] = queue[at+1]; at = at+1 end; queue[waiting] = 0}\n"
            "edge:Gate:next:taken:go$i{provided:waiting>0 && queue[0]==$i}\n",
            "i", i);
}

void gen_train_gate(Gen *gen) {
  const int n = gen_number(gen, "n");
  gen_add(gen, "system:train_gate_$n\nevent:tau\nevent:come\nevent:stop\nevent:go\nevent:leave\n",
          "n", n);
  for (int i = 1; i <= n; i++)
    gen_add(gen, "event:come$i\nevent:stop$i\nevent:go$i\nevent:leave$i\n", "i", i);
  gen_add(gen, "int:$n:0:$n:0:queue\nint:1:0:$n:0:waiting\n", "n", n);
  for (int i = 1; i <= n; i++)
    train(gen, i);
  gate(gen, n);
  for (int i = 1; i <= n; i++)
    gen_add(gen,
            "sync:Gate@come$i:Train$i@come\n"
            "sync:Gate@stop$i:Train$i@stop\n"
            "sync:Gate@go$i:Train$i@go\n"
            "sync:Gate@leave$i:Train$i@leave\n",
            "i", i);
}
