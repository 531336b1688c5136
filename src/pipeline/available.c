#define _POSIX_C_SOURCE 200809L
#include "pipeline/available.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static const uint64_t unlimited = UINT64_MAX;

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

// What is left of a limit; nothing if more is used.
static uint64_t rest(uint64_t limit, uint64_t used) {
  return limit == unlimited ? unlimited : limit > used ? limit - used : 0;
}

// The number in a file; `unlimited` if there is none, as in `max`.
static uint64_t number_in(const char *path) {
  FILE *file = fopen(path, "r");
  unsigned long long value;
  const bool ok = file && fscanf(file, "%llu", &value) == 1;
  if (file)
    fclose(file);
  return ok ? value : unlimited;
}

// Kilobytes that /proc/meminfo names.
static uint64_t physical(void) {
  FILE *file = fopen("/proc/meminfo", "r");
  char line[256];
  unsigned long long kilobytes;
  uint64_t found = unlimited;
  while (file && found == unlimited && fgets(line, sizeof line, file))
    if (sscanf(line, "MemAvailable: %llu", &kilobytes) == 1)
      found = kilobytes << 10;
  if (file)
    fclose(file);
  return found;
}

// A cgroup and those around it: `limit` and `used` are the names of its files.
static uint64_t group(const char *root, const char *path, const char *limit, const char *used) {
  char folder[4096], file[4352];
  uint64_t found = unlimited;
  snprintf(folder, sizeof folder, "%s%s", root, path);
  for (;;) {
    snprintf(file, sizeof file, "%s/%s", folder, limit);
    const uint64_t most = number_in(file);
    snprintf(file, sizeof file, "%s/%s", folder, used);
    const uint64_t now = number_in(file);
    found = least(found, rest(most, now == unlimited ? 0 : now));
    char *slash = strrchr(folder, '/');
    if (!slash || strlen(folder) <= strlen(root))
      return found;
    *slash = 0;
  }
}

// Version 2 has one line `0::/path`, version 1 one for each controller.
static uint64_t cgroups(void) {
  FILE *file = fopen("/proc/self/cgroup", "r");
  char line[4096];
  uint64_t found = unlimited;
  while (file && fgets(line, sizeof line, file)) {
    line[strcspn(line, "\n")] = 0;
    char *controllers = strchr(line, ':'),
         *path = controllers ? strchr(controllers + 1, ':') : NULL;
    if (!path)
      continue;
    *path++ = 0;
    if (!controllers[1])
      found = least(found, group("/sys/fs/cgroup", path, "memory.max", "memory.current"));
    else if (strstr(controllers + 1, "memory"))
      found = least(found, group("/sys/fs/cgroup/memory", path, "memory.limit_in_bytes",
                                 "memory.usage_in_bytes"));
  }
  if (file)
    fclose(file);
  return found;
}

// What of a limit of `ulimit` is left, where `used` is the number of pages in use.
static uint64_t resource(int which, uint64_t used) {
  struct rlimit limit;
  if (getrlimit(which, &limit) || limit.rlim_cur == RLIM_INFINITY)
    return unlimited;
  return rest(limit.rlim_cur, used * (uint64_t)sysconf(_SC_PAGESIZE));
}

static uint64_t resources(void) {
  FILE *file = fopen("/proc/self/statm", "r");
  unsigned long long size = 0, data = 0;
  if (file && fscanf(file, "%llu %*u %*u %*u %*u %llu", &size, &data) != 2)
    size = data = 0;
  if (file)
    fclose(file);
  return least(resource(RLIMIT_AS, size), resource(RLIMIT_DATA, data));
}

size_t available_memory(void) {
  const uint64_t found = least(physical(), least(cgroups(), resources()));
  return found == unlimited ? 0 : found > SIZE_MAX / 2 ? SIZE_MAX / 2 : (size_t)found;
}
