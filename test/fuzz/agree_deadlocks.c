// Random UPPAAL networks, with priorities, urgent channels and receivers that have guards:
// whether there is a deadlock, as tarn says it and on regions: agree_deadlocks COUNT [FIRST]
//
// Stops at the first difference and shows it; the last line is the sum. Networks with too many
// regions or run-time errors are left out, and those that tarn refuses: all are counted.
#include "regiongraph.h"
#include "uppaal_nets.h"

#include "tarn.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX_REGIONS = 6000 };

typedef struct Sum {
  unsigned long networks, deadlocked, priorities, large, failed, refused;
} Sum;

static bool has_deadlock(const Regions *r) {
  for (uint32_t i = 0; i < r->list.size; i++)
    if (r->list.items[i].is_deadlocked)
      return true;
  return false;
}

static bool compare(const UppaalNet *u, const Regions *r, unsigned long seed, Sum *sum) {
  Tarn *tarn = tarn_init();
  tarn_set(tarn, "time-limit", "5");
  char *meta = u->net.slots.is_kept ? strstr(u->text.chars, "meta ") : NULL;
  if (meta) // regions are compared with all variables
    memset(meta, ' ', strlen("meta "));
  const bool is_read = !tarn_read_text(tarn, u->source.text, "uppaal");
  const int verdict = is_read ? tarn_check(tarn, "E<> deadlock") : -1;
  const bool expected = has_deadlock(r);
  bool ok = true;
  if (verdict != TARN_SATISFIED && verdict != TARN_NOT_SATISFIED) {
    sum->refused++;
  } else {
    ok = (verdict == TARN_SATISFIED) == expected;
    sum->networks++;
    sum->deadlocked += expected;
    sum->priorities += u->net.priority.is_used;
  }
  if (!ok)
    printf("seed %lu: deadlock %d, on regions %d\n%s\n", seed, verdict, expected, u->source.text);
  tarn_release(tarn);
  return ok;
}

static bool run_case(unsigned long seed, Sum *sum) {
  Mem mem = {0};
  UppaalNet u;
  Regions regions;
  bool ok = true;
  uppaal_nets_make(&u, &mem, seed);
  if (u.net.traits.has_diagonals) {
    sum->refused++;
  } else {
    if (!regions_make(&regions, &u.net, UPPAAL_NETS_CONSTANT, false, MAX_REGIONS))
      sum->large++;
    else if (regions.has_failed)
      sum->failed++;
    else
      ok = compare(&u, &regions, seed, sum);
    regions_release(&regions);
  }
  uppaal_nets_release(&u);
  mem_release(&mem);
  return ok;
}

int main(int argc, char **argv) {
  const unsigned long count = argc > 1 ? strtoul(argv[1], NULL, 10) : 100;
  const unsigned long first = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
  Sum sum = {0};
  bool ok = true;
  for (unsigned long seed = first; ok && seed < first + count; seed++)
    ok = run_case(seed, &sum);
  printf("%lu UPPAAL networks agree on deadlocks (%lu with one, %lu with priorities), %lu too "
         "large, %lu with run-time errors, %lu refused\n",
         sum.networks, sum.deadlocked, sum.priorities, sum.large, sum.failed, sum.refused);
  return !ok;
}
