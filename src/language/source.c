#define _POSIX_C_SOURCE 200809L
#include "language/source.h"

#include "model/certificate_format.h"

#include <errno.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

// errno says why it failed. Evidence may be larger than memory can hold: so what is neither text
// nor begins like a certificate, such as /dev/zero, is given up at once.
static bool read_stream(Text *text, FILE *file, size_t max) {
  char buffer[65536];
  size_t count;
  text_add(text, "");
  while ((count = fread(buffer, 1, sizeof buffer, file)) > 0) {
    mem_tick(text->mem);
    if (max > SOURCE_MAX_MODEL && !text->size && memchr(buffer, 0, count) &&
        memcmp(buffer, CERTIFY_PREFIX, strlen(CERTIFY_PREFIX))) {
      errno = EILSEQ;
      return false;
    }
    if (count > max - text->size) {
      errno = EFBIG;
      return false;
    }
    text_add_bytes(text, buffer, count);
  }
  return !ferror(file);
}

// Why models and queries cannot be in these bytes; NULL: they can. XML may be in UTF-16.
static const char *find_foreign(const Text *text) {
  const char *chars = text_chars(text);
  if (text->size > 1 && !memcmp(chars, "\x1f\x8b", 2))
    return "this is compressed: unpack it (`gunzip`) first";
  size_t at = 0; // behind the mark of an encoding
  while (at < text->size && memchr("\xff\xfe\xef\xbb\xbf", chars[at], 6))
    at++;
  if (memchr(chars, 0, text->size) && chars[at] != '<')
    return "this is not text, or it is in UTF-16: convert it to UTF-8 (`iconv`) first";
  return NULL;
}

bool source_read(Source *source, Mem *mem, const char *path, size_t max, Report *report) {
  const bool is_stdin = !strcmp(path, "-");
  FILE *const file = is_stdin ? stdin : fopen(path, "rb");
  if (!file)
    return report_error(report, (Place){0}, "%s: %s", path, strerror(errno));
  Text text = {.mem = mem};
  jmp_buf escape;
  jmp_buf *const outer = mem->escape;
  mem->escape = &escape;
  if (setjmp(escape)) { // there is no memory for all of it
    mem->escape = outer;
    if (!is_stdin)
      fclose(file);
    mem_exhausted(mem);
  }
  bool ok = read_stream(&text, file, max);
  const char *foreign = ok && max == SOURCE_MAX_MODEL ? find_foreign(&text) : NULL;
  mem->escape = outer;
  if (!ok && errno == EFBIG)
    report_error(report, (Place){0}, "%s: more than %zu MiB are not read", path, max >> 20);
  else if (!ok)
    report_error(report, (Place){0}, "%s: %s", path,
                 errno == EILSEQ ? "this is not text" : strerror(errno));
  else if (foreign) {
    report_error(report, (Place){0}, "%s: %s", path, foreign);
    ok = false;
  }
  if (!is_stdin)
    fclose(file);
  const char *name = is_stdin ? "<stdin>" : path;
  *source = (Source){
      .name = mem_copy_text(mem, name, strlen(name)), .text = text.chars, .size = text.size};
  return ok;
}

// Devices and pipes are left alone: opening one can block. So are links to files that are not
// there. A file that was not there is removed.
bool source_is_writable(const char *path, Report *report) {
  struct stat about;
  const bool exists = !stat(path, &about);
  if (exists ? !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode) : !lstat(path, &about))
    return true;
  FILE *file = fopen(path, "ab");
  if (!file)
    return report_error(report, (Place){0}, "%s: cannot be written: %s", path, strerror(errno));
  fclose(file);
  if (!exists)
    remove(path);
  return true;
}
