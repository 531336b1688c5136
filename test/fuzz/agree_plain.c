// Prints what searches count, for agree_plain.sh to compare builds: agree_plain COUNT [FIRST]
//    or agree_plain --model FILE..., or agree_plain --show SEED
//
// Each seed from FIRST (default 1) on gives a model: a random network, up to 30 clocks, or one of
// a family. Its constants may be moved to where bounds outgrow 8 or 16 bits, strict constraints
// become weak ones and the other way round. It is searched under some configurations drawn from
// all; long searches are cut short, after the same number of nodes in every build. With --model,
// models in files are searched as they are, each under the same configurations; --show prints the
// model of a seed.
#define _POSIX_C_SOURCE 200809L // open_memstream
#include "sample.h"

#include "tarn.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { SHORT = 3, LONG = 12, STRIDE = 256 }; // strides of nodes after which a search is cut short
enum { SEARCHES = 5, FILE_SEARCHES = 12, MAX_CHOICES = 10, TEXT_SIZE = 64 };

typedef struct Family {
  const char *name;
  int least, max; // of n; 0: it has none
} Family;

static const Family families[] = {
    {"fischer", 2, 14},
    {"lynch", 2, 10},
    {"csma", 2, 9},
    {"fddi", 2, 9},
    {"blowup", 3, 12},
    {"critical-region", 2, 4},
    {"train-gate", 2, 5},
    {"flexray", 1, 2},
    {"corsso", 2, 3},
    {"philosophers", 2, 8},
    {"parallel", 2, 6},
    {"poll", 2, 6},
    {"lcm", 2, 6},
    {"vikings", 2, 5},
    {"tasks", 3, 9},
    {"a2", 0, 0},
    {"a3", 0, 0},
    {"train-crossing", 1, 2},
    {"darts-fischer", 2, 4},
    {"darts-example", 0, 0},
    {"fig1", 0, 0},
};
enum { FAMILIES = sizeof families / sizeof *families };

// Where constants go: about as large as one of these.
static const int sizes[] = {3,     30,    31,    60,    61,    63,      64,      100,    126,
                            127,   128,   255,   256,   3999,  4000,    8000,    8001,   16000,
                            16383, 16384, 32767, 32768, 65536, 1 << 20, 1 << 26, 1 << 29};
enum { SIZES = sizeof sizes / sizeof *sizes };

typedef struct Option {
  const char *name;
  const char *values[MAX_CHOICES];
} Option;

static const Option common[] = {
    {"abstraction",
     {"alu", "alu", "alu", "am", "extra-lu+", "extra-lu", "extra-m+", "extra-m", NULL}},
    {"order", {"stages", "stages", "tw", "bfs", "dfs", "rank", "wait", NULL}},
    {"bounds", {"local", "local", "global", NULL}},
    {"seed", {"0", "0", "3", NULL}},
};
static const Option of_points[] = {
    {"order", {"bfs", "dfs", NULL}},
    {"bounds", {"local", "global", NULL}},
};
static const Option of_zones[] = {
    {"delay", {"after", "after", "before", NULL}},
    {"compact", {"no", "no", "yes", NULL}},
};
static const Option of_needs[] = {
    // bounds found during the search
    {"abstraction", {"alu", "am", "closure", "closure-lu+", NULL}},
    {"bounds", {"fly", "lazy", NULL}},
};
static const char *const engines[] = {"zones", "zones", "zones", "zones", "local",
                                      "local", "local", "auto",  "darts", "points"};

typedef struct Case {
  unsigned long long random;
  char *model;
  char name[256];        // how it was made
  char label[TEXT_SIZE]; // to look for; empty: everything is explored
} Case;

static unsigned below(Case *c, unsigned n) { return sample_below(&c->random, n); }
static int between(Case *c, int low, int high) {
  return low + (int)below(c, (unsigned)(high - low + 1));
}

static void make_random(Case *c, unsigned long seed) {
  const int kind = between(c, 0, 2); // few clocks and many zones; 9 to 16 clocks; more
  const int processes = kind ? between(c, 2, 5) : between(c, 1, 4);
  const SampleValue values[] = {
      {"seed", (int)seed},
      {"processes", processes},
      {"locations", between(c, 2, 5)},
      {"edges", between(c, 3, 12)},
      {"clocks", kind == 0   ? between(c, 1, 8)
                 : kind == 1 ? between(c, 9, 16)
                             : between(c, 17, 30)},
      {"constant", below(c, 2) ? between(c, 1, 12) : sizes[below(c, SIZES - 4)]},
      {"ints", between(c, 0, 2)},
      {"syncs", between(c, 0, 3)},
      {"guards", between(c, 30, 90)},
      {"resets", between(c, 40, 95)},
      {"invariants", between(c, 0, 50)},
      {"committed", below(c, 2) ? 0 : 10},
      {"urgent", below(c, 2) ? 0 : 10},
      {"closed", below(c, 3) == 0},
      {"diagonals", below(c, 12) == 0},
      {"shared", below(c, 3) == 0},
      {"copies", below(c, 2)},
      {"shifts", below(c, 2)},
      {"branches", below(c, 2)},
      {"initials", below(c, 2)},
  };
  c->model = sample_network(values, sizeof values / sizeof *values);
  snprintf(c->name, sizeof c->name, "random");
  if (below(c, 3) == 0)
    snprintf(c->label, sizeof c->label, "P%d_l1", between(c, 0, processes - 1));
}

static void make_family(Case *c) {
  const Family *family = &families[below(c, FAMILIES)];
  char size[TEXT_SIZE];
  snprintf(size, sizeof size, "%d", between(c, family->least, family->max));
  const char *const arguments[] = {size};
  size_t bytes;
  FILE *file = open_memstream(&c->model, &bytes);
  Tarn *tarn = tarn_init();
  if (!file || tarn_generate(tarn, file, family->name, family->max > 0, arguments))
    abort();
  fclose(file);
  tarn_release(tarn);
  snprintf(c->name, sizeof c->name, "%s %s", family->name, size);
}

// The model again, where each constant behind `<` or `>` is multiplied and now and then moved by
// one, and some signs lose or get a `=`.
static void mutate(Case *c) {
  const int size = sizes[below(c, SIZES)]; // each number by itself: in the same order everywhere
  const int scale = size / between(c, 1, 20) + 1, odds = between(c, 0, 20);
  size_t bytes;
  char *to = NULL;
  FILE *file = open_memstream(&to, &bytes);
  for (const char *from = c->model; *from;) {
    const char sign = *from++;
    fputc(sign, file);
    if (sign != '<' && sign != '>')
      continue;
    const int has_equal = *from == '=';
    from += has_equal;
    if (has_equal != ((int)below(c, 100) < odds))
      fputc('=', file);
    if (!isdigit((unsigned char)*from))
      continue;
    char *end;
    const long long constant = strtoll(from, &end, 10) * scale;
    fprintf(file, "%lld", constant + (below(c, 4) || !constant ? 0 : between(c, -1, 1)));
    from = end;
  }
  fclose(file);
  free(c->model);
  c->model = to;
  snprintf(c->name + strlen(c->name), TEXT_SIZE, " x%d, %d%% flipped", scale, odds);
}

// Sets options, each to one of its values.
static void draw(Case *c, Tarn *tarn, const Option *options, int count) {
  for (int i = 0; i < count; i++) {
    unsigned max = 0;
    while (options[i].values[max])
      max++;
    const char *value = options[i].values[below(c, max)];
    if (tarn_set(tarn, options[i].name, value))
      abort();
    printf(" %s", value);
  }
}

#define DRAW(c, tarn, options) draw(c, tarn, options, sizeof(options) / sizeof *(options))

// Darts and points count up to the constants, of which those of three digits are large.
static int has_large(const char *model) {
  int digits = 0;
  for (; *model && digits < 3; model++)
    digits = isdigit((unsigned char)*model) ? digits + 1 : 0;
  return digits == 3;
}

static const char *choose(Case *c, Tarn *tarn) {
  const unsigned count = sizeof engines / sizeof *engines - (has_large(c->model) ? 2 : 0);
  const char *engine = engines[below(c, count)];
  printf("  %s", engine);
  if (tarn_set(tarn, "engine", engine))
    abort();
  if (!strcmp(engine, "darts") || !strcmp(engine, "points"))
    DRAW(c, tarn, of_points);
  else if (strcmp(engine, "auto"))
    DRAW(c, tarn, common);
  if (!strcmp(engine, "zones"))
    DRAW(c, tarn, of_zones);
  if (!strcmp(engine, "zones") && below(c, 3) == 0)
    DRAW(c, tarn, of_needs);
  return engine;
}

typedef struct Limit {
  Tarn *tarn;
  int strides;
  long visited; // at the last stride
} Limit;

// There are other looks between strides and several at one node, which depend on the time that
// nodes take.
static int terminate(void *state) {
  Limit *limit = state;
  const long visited = (long)tarn_statistic(limit->tarn, "visited");
  if (visited % STRIDE != 1)
    return 0;
  if (visited != limit->visited)
    limit->strides--;
  limit->visited = visited;
  return limit->strides < 0;
}

static void search(Case *c) {
  static const char *const names[] = {"visited", "stored", "transitions", "mistakes", "covered"};
  Tarn *tarn = tarn_init();
  Limit limit = {tarn, below(c, 10) ? SHORT : LONG, 0};
  tarn_set_terminate(tarn, &limit, terminate);
  if (strcmp(choose(c, tarn), "zones") != 0)
    limit.strides = 1; // local time without packed zones is slow
  fflush(stdout);      // what comes next may abort
  if (tarn_read_text(tarn, c->model, "tchecker")) {
    printf(": refused, %.*s\n", (int)strcspn(tarn_error(tarn), "\n"), tarn_error(tarn));
    tarn_release(tarn);
    return;
  }
  const int verdict = *c->label ? tarn_check_labels(tarn, c->label) : tarn_check(tarn, NULL);
  printf(": %d", verdict);
  for (unsigned i = 0; verdict >= 0 && i < sizeof names / sizeof *names; i++)
    printf(" %s=%.0f", names[i], tarn_statistic(tarn, names[i]));
  printf("%s%.*s\n", verdict < 0 ? " " : "",
         verdict < 0 ? (int)strcspn(tarn_error(tarn), "\n") : 0, tarn_error(tarn));
  tarn_release(tarn);
}

static void make_model(Case *c, unsigned long seed) {
  if (below(c, 2)) {
    make_random(c, seed);
    return;
  }
  make_family(c);
  if (below(c, 4))
    mutate(c);
}

static void print_case(unsigned long seed) {
  Case c = {.random = seed};
  make_model(&c, seed);
  printf("%lu: %s %s\n", seed, c.name, c.label);
  for (int i = 0; i < SEARCHES; i++)
    search(&c);
  free(c.model);
}

static void print_file(const char *path) {
  Case c = {.random = 1};
  size_t bytes;
  FILE *to = open_memstream(&c.model, &bytes), *from = fopen(path, "r");
  if (!to || !from) {
    fprintf(stderr, "%s: cannot be read\n", path);
    exit(2);
  }
  for (int byte; (byte = getc(from)) != EOF;)
    putc(byte, to);
  fclose(from);
  fclose(to);
  printf("%s\n", path);
  for (int i = 0; i < FILE_SEARCHES; i++)
    search(&c);
  free(c.model);
}

int main(int argc, char **argv) {
  if (argc > 1 && !strcmp(argv[1], "--model")) {
    for (int i = 2; i < argc; i++)
      print_file(argv[i]);
    return 0;
  }
  if (argc == 3 && !strcmp(argv[1], "--show")) {
    Case c = {.random = strtoul(argv[2], NULL, 10)};
    make_model(&c, c.random);
    fputs(c.model, stdout);
    free(c.model);
    return 0;
  }
  unsigned long first, last;
  sample_seeds(argc, argv, &first, &last);
  for (unsigned long seed = first; seed < last; seed++)
    print_case(seed);
  return 0;
}
