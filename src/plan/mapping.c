#define _DEFAULT_SOURCE // madvise, st_ctim
#include "plan/mapping.h"

#include "check/certificate_reader.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static void *bytes_of(const Mapping *mapping) { return (void *)(uintptr_t)mapping->source.text; }

bool mapping_open(Mapping *mapping, Mem *mem, const char *path) {
  struct stat about;
  *mapping = (Mapping){.file = -1};
  // A pipe is not even opened: its writer would lose its reader when this one closes it.
  if (strcmp(path, "-") && !stat(path, &about) && S_ISREG(about.st_mode))
    mapping->file = open(path, O_RDONLY | O_NONBLOCK);
  if (mapping->file >= 0 && !fstat(mapping->file, &about) && S_ISREG(about.st_mode) &&
      about.st_size > 0) {
    void *bytes = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_SHARED, mapping->file, 0);
    if (bytes != MAP_FAILED)
      mapping->source = (Source){.text = bytes, .size = (size_t)about.st_size};
    mapping->changed[0] = about.st_ctim.tv_sec;
    mapping->changed[1] = about.st_ctim.tv_nsec;
  }
  if (mapping->source.text && certificate_is_one(mapping->source.text, mapping->source.size)) {
    mapping->source.name = mem_copy_text(mem, path, strlen(path));
    return true;
  }
  mapping_close(mapping);
  return false;
}

void mapping_let_go(Mapping *mapping) {
  madvise(bytes_of(mapping), mapping->source.size, MADV_DONTNEED);
}

bool mapping_close(Mapping *mapping) {
  struct stat about;
  const bool is_same = mapping->source.text && !fstat(mapping->file, &about) &&
                       (size_t)about.st_size == mapping->source.size &&
                       about.st_ctim.tv_sec == mapping->changed[0] &&
                       about.st_ctim.tv_nsec == mapping->changed[1];
  if (mapping->source.text)
    munmap(bytes_of(mapping), mapping->source.size);
  if (mapping->file >= 0)
    close(mapping->file);
  *mapping = (Mapping){.file = -1};
  return is_same;
}
