#define _XOPEN_SOURCE 700 // realpath
#include "second.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS = 60, LINE = 1 << 16 };
#define STACK (UINT64_C(4) << 30)
#define MEMORY (UINT64_C(8) << 30)

void second_begin(Second *s, const char *program, const char *path) {
  *s = (Second){.program = program};
  snprintf(s->folder, sizeof s->folder, "%s-files", path);
  if (program && mkdir(s->folder, 0700))
    abort();
}

void second_path(const Second *s, unsigned file, char *path, size_t size) {
  snprintf(path, size, "%s/%u", s->folder, file);
}

static void write_file(const char *path, const char *bytes, size_t size) {
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(bytes, 1, size, file) != size || fclose(file))
    abort();
}

void second_add(Second *s, const char *bytes, size_t size, SecondFile file) {
  char path[128];
  if (!s->program)
    return;
  second_path(s, s->count, path, sizeof path);
  write_file(path, bytes, size);
  if (!(s->count & (s->count - 1)))
    s->files = realloc(s->files, (s->count ? 2 * s->count : 1) * sizeof *s->files);
  if (!s->files)
    abort();
  s->files[s->count++] = file;
}

static void limit(int what, rlim_t value) {
  struct rlimit now;
  if (getrlimit(what, &now))
    return;
  now.rlim_cur = now.rlim_max == RLIM_INFINITY || value < now.rlim_max ? value : now.rlim_max;
  setrlimit(what, &now);
}

// In the child. It would start itself again to get a larger stack: it has that already.
static _Noreturn void run(const Second *s, const char *model, const char *out) {
  char **arguments = calloc(s->count + 3, sizeof *arguments);
  char *names = calloc(s->count + 1, 16), *program = realpath(s->program, NULL);
  char *first = strdup(model);
  const int to = open(out, O_CREAT | O_TRUNC | O_WRONLY, 0600);
  if (!arguments || !names || !program || to < 0 || chdir(s->folder))
    _exit(127);
  arguments[0] = program;
  arguments[1] = first;
  for (unsigned i = 0; i < s->count; i++)
    sprintf(arguments[i + 2] = names + (size_t)16 * i, "%u", i);
  dup2(to, 1);
  dup2(to, 2);
  setenv("TARN_PROVED_STACK", "1", 1);
  limit(RLIMIT_STACK, STACK);
  limit(RLIMIT_CPU, SECONDS);
  limit(RLIMIT_AS, MEMORY); // from here on no memory is allocated: sanitizers have more
  execv(program, arguments);
  _exit(127);
}

static int is_open(const char *said) {
  static const char *const words[] = {"not cover",
                                      "do not show",
                                      "not shown",
                                      "not proved to be",
                                      "too large",
                                      "one side of a value",
                                      "reads a meta variable",
                                      "has no initial",
                                      "a run without a query"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strstr(said, words[i]))
      return 1;
  return 0;
}

// A line `NAME: proved: ...` or `NAME: rejected: ...`. One file can have several runs: the first
// line that says that something is proved counts.
static void take(Second *s, const char *line) {
  char *end;
  const unsigned long file = strtoul(line, &end, 10);
  const int is_proved = !strncmp(end, ": proved: ", 10);
  if (end == line || file >= s->count || (!is_proved && strncmp(end, ": rejected: ", 12) != 0))
    return;
  s->has_read = 1;
  SecondAnswer *answer = &s->files[file].answer;
  if (is_proved)
    *answer = SECOND_ACCEPTS;
  else if (*answer == SECOND_SILENT)
    *answer = is_open(end) ? SECOND_OPEN : SECOND_REJECTS;
}

void second_ask(Second *s, const char *model, const char *ending) {
  char path[128], out[128];
  static char line[LINE];
  s->has_read = 0;
  s->said[0] = 0;
  if (!s->count)
    return;
  snprintf(path, sizeof path, "%s/model%s", s->folder, ending);
  snprintf(out, sizeof out, "%s/out", s->folder);
  write_file(path, model, strlen(model));
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0)
    run(s, path, out);
  waitpid(child, NULL, 0);
  FILE *file = fopen(out, "r");
  while (file && fgets(line, sizeof line, file)) {
    take(s, line);
    const size_t used = strlen(s->said);
    snprintf(s->said + used, sizeof s->said - used, "%s", line);
  }
  if (file)
    fclose(file);
  remove(path);
  remove(out);
}

void second_clear(Second *s) {
  char path[128];
  for (unsigned i = 0; i < s->count; i++) {
    second_path(s, i, path, sizeof path);
    remove(path);
  }
  s->count = 0;
}

void second_end(Second *s) {
  second_clear(s);
  free(s->files);
  if (s->program)
    rmdir(s->folder);
}
