#define _POSIX_C_SOURCE 200809L
#include "plan/available.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static const uint64_t unlimited = UINT64_MAX;
static const uint64_t no_limit = (uint64_t)1
                                 << 60; // version 1 of cgroups says so by a large number

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

// What is left of a limit; nothing if more is used.
static uint64_t rest(uint64_t limit, uint64_t used) {
  return limit == unlimited ? unlimited : limit > used ? limit - used : 0;
}

// The beginning of a file; empty if there is none. Every start of the command reads some: without
// the buffers of stdio that takes a third of the instructions.
static void read_text(const char *path, char *text, size_t size) {
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  const ssize_t got = file < 0 ? 0 : read(file, text, size - 1);
  text[got < 0 ? 0 : got] = 0;
  if (file >= 0)
    close(file);
}

// The number at the beginning of a text; `unlimited` if there is none, as in `max`.
static uint64_t number_at(const char *text) {
  char *end;
  const unsigned long long value = strtoull(text, &end, 10);
  return end == text ? unlimited : value;
}

static uint64_t number_in(const char *path) {
  char text[32];
  read_text(path, text, sizeof text);
  return number_at(text);
}

// What /proc/meminfo names, in kilobytes.
static uint64_t physical(void) {
  static const char name[] = "MemAvailable:";
  char text[1024];
  read_text("/proc/meminfo", text, sizeof text);
  const char *at = strstr(text, name);
  const uint64_t kilobytes = at ? number_at(at + strlen(name)) : unlimited;
  return kilobytes == unlimited ? unlimited : kilobytes << 10;
}

// What a cgroup uses, without cached files that were not read for a while: the system gives these
// up first. Version 1 has numbers with and without the groups inside.
static uint64_t used_by(const char *folder, const char *used) {
  static const char *const names[] = {"\ntotal_inactive_file ", "\ninactive_file "};
  char file[4352], text[8192];
  snprintf(file, sizeof file, "%s/%s", folder, used);
  const uint64_t now = number_in(file);
  snprintf(file, sizeof file, "%s/memory.stat", folder);
  read_text(file, text, sizeof text);
  const char *at = strstr(text, names[0]) ? strstr(text, names[0]) : strstr(text, names[1]);
  const uint64_t copies = at ? number_at(strchr(at, ' ') + 1) : 0;
  return now == unlimited || copies > now ? 0 : now - copies;
}

uint64_t available_in_group(const char *root, const char *path, const char *limit,
                            const char *used) {
  char folder[4096], file[4352];
  uint64_t found = unlimited;
  snprintf(folder, sizeof folder, "%s%s", root, strcmp(path, "/") ? path : "");
  for (;;) {
    snprintf(file, sizeof file, "%s/%s", folder, limit);
    const uint64_t max = number_in(file);
    if (max < no_limit)
      found = least(found, rest(max, used_by(folder, used)));
    char *slash = strrchr(folder, '/');
    if (!slash || strlen(folder) <= strlen(root))
      return found;
    *slash = 0;
  }
}

// Version 2 has one line `0::/path`, version 1 one for each controller.
static uint64_t cgroups(void) {
  char text[4096], *rest_of_text = NULL;
  uint64_t found = unlimited;
  read_text("/proc/self/cgroup", text, sizeof text);
  for (char *line = text; (line = strtok_r(line, "\n", &rest_of_text)); line = NULL) {
    char *controllers = strchr(line, ':'),
         *path = controllers ? strchr(controllers + 1, ':') : NULL;
    if (!path)
      continue;
    *path++ = 0;
    if (!controllers[1])
      found = least(found,
                    available_in_group("/sys/fs/cgroup", path, "memory.max", "memory.current"));
    else if (strstr(controllers + 1, "memory"))
      found = least(found, available_in_group("/sys/fs/cgroup/memory", path,
                                              "memory.limit_in_bytes", "memory.usage_in_bytes"));
  }
  return found;
}

// What is left of a limit of `ulimit`, in pages that the field of /proc/self/statm counts.
static uint64_t resource(int which, uint32_t field) {
  struct rlimit limit;
  if (getrlimit(which, &limit) || limit.rlim_cur == RLIM_INFINITY)
    return unlimited;
  char text[256], *at = text;
  unsigned long long used = 0;
  read_text("/proc/self/statm", text, sizeof text);
  for (uint32_t i = 0; i <= field; i++)
    used = strtoull(at, &at, 10);
  return rest(limit.rlim_cur, used * (uint64_t)sysconf(_SC_PAGESIZE));
}

// The whole address space, and its part for data and stack.
static uint64_t resources(void) {
  return least(resource(RLIMIT_AS, 0), resource(RLIMIT_DATA, 5));
}

size_t available_memory(void) {
  const uint64_t found = least(physical(), least(cgroups(), resources()));
  return found == unlimited ? 0 : found > SIZE_MAX / 2 ? SIZE_MAX / 2 : (size_t)found;
}
