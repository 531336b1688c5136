#define _GNU_SOURCE // O_PATH
#include "plan/service/mcp_files.h"

#include "language/source.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool mcp_files_open(McpFiles *files, const char *folder) {
  files->folder = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
  return files->folder >= 0;
}

void mcp_files_close(McpFiles *files) {
  if (files->folder >= 0)
    close(files->folder);
  files->folder = -1;
}

// As <linux/openat2.h> has it; older headers do not.
struct how {
  uint64_t flags, mode, resolve;
};
enum { RESOLVE = 0x08 | 0x02, NUMBER = 437 }; // beneath the folder, no links of /proc

// Kernels before 5.6: one name after the other, without any symbolic link.
static int open_by_steps(int folder, const char *path) {
  int at = dup(folder);
  for (const char *name = path; at >= 0;) {
    const size_t length = strcspn(name, "/");
    const bool is_last = !name[length];
    char part[256];
    if (!length || length >= sizeof part || (length <= 2 && !strncmp(name, "..", length))) {
      close(at);
      errno = EXDEV;
      return -1;
    }
    memcpy(part, name, length);
    part[length] = '\0';
    const int flags =
        O_NOFOLLOW | O_CLOEXEC | (is_last ? O_RDONLY | O_NONBLOCK : O_PATH | O_DIRECTORY);
    const int next = openat(at, part, flags);
    close(at);
    at = next;
    if (is_last)
      break;
    name += length + 1;
  }
  return at;
}

static int open_beneath(int folder, const char *path) {
  const struct how how = {.flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC, .resolve = RESOLVE};
  long file;
  do {
    file = syscall(NUMBER, folder, path, &how, sizeof how);
  } while (file < 0 && errno == EAGAIN); // something was renamed meanwhile
  if (file < 0 && (errno == ENOSYS || errno == EPERM))
    return open_by_steps(folder, path);
  return (int)file;
}

static const char *reason(int error) {
  return error == EXDEV || error == ELOOP      ? "it does not lie below the folder of the server"
         : error == ENOENT || error == ENOTDIR ? "there is no such file"
         : error == EACCES                     ? "it must not be read"
                                               : "it cannot be opened";
}

static bool read_all(int file, size_t size, char *text) {
  for (size_t done = 0; done < size;) {
    const ssize_t count = read(file, text + done, size - done);
    if (count <= 0)
      return false;
    done += (size_t)count;
  }
  return true;
}

bool mcp_files_read(const McpFiles *files, const char *path, Mem *mem, Source *source,
                    const char **why) {
  struct stat about;
  *why = "the server has no folder (--root)";
  if (files->folder < 0)
    return false;
  *why = reason(EXDEV);
  if (*path == '/')
    return false;
  const int file = open_beneath(files->folder, path);
  if (file < 0) {
    *why = reason(errno);
    return false;
  }
  bool ok = false;
  *why = "it is not a regular file, or it is too large";
  if (!fstat(file, &about) && S_ISREG(about.st_mode) &&
      (size_t)about.st_size <= SOURCE_MAX_MODEL) {
    const size_t size = (size_t)about.st_size;
    char *text = mem_alloc(mem, size + 1);
    *why = "it cannot be read";
    ok = read_all(file, size, text);
    *source =
        (Source){.name = mem_copy_text(mem, path, strlen(path)), .text = text, .size = size};
  }
  close(file);
  return ok;
}
