#define _POSIX_C_SOURCE 200809L
#include "command/command.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>

static char failure[1 << 13]; // what is wrong with the command line, for JSON

int command_fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(failure, sizeof failure, format, arguments);
  va_end(arguments);
  fprintf(stderr, "tarn: %s\n", failure);
  return STATUS_ERROR;
}

// Whether a message begins here, and not the source line, the caret or the run that belong to
// one.
static bool begins_message(const char *line) {
  return *line && *line != ' ' && *line != '\n' && strncmp(line, "after this run", 14) != 0;
}

void command_say_as(const char *name, const char *messages) {
  while (*messages) {
    const size_t size = strcspn(messages, "\n") + 1;
    if (begins_message(messages))
      fprintf(stderr, "%s: ", name);
    fprintf(stderr, "%.*s", (int)size, messages);
    messages += messages[size - 1] ? size : size - 1;
  }
}

void command_say(const char *messages) { command_say_as("tarn", messages); }

int command_fail_with(Tarn *tarn) {
  command_say(tarn_error(tarn));
  return STATUS_ERROR;
}

int command_give_up(Tarn *tarn) {
  command_fail_with(tarn);
  return tarn_verdict(tarn) == TARN_UNDECIDED ? STATUS_UNDECIDED : STATUS_ERROR;
}

int command_read_model(Command *command, bool with_queries) {
  const bool failed = with_queries ? tarn_read(command->tarn, command->model)
                                   : tarn_read_model(command->tarn, command->model);
  if (!command->quiet)
    command_say(tarn_warnings(command->tarn));
  return failed ? command_give_up(command->tarn) : 0;
}

static int write_file(Tarn *tarn, const char *path, const char *what, const char *format,
                      const char *name) {
  FILE *file = fopen(path, "w");
  bool failed = !file || tarn_write(tarn, file, what, format);
  int reason = errno;
  if (file && fclose(file) && !failed) {
    failed = true;
    reason = errno;
  }
  if (failed)
    fprintf(stderr, "tarn: %s: the %s could not be written: %s\n", path, name, strerror(reason));
  return failed ? STATUS_ERROR : 0;
}

int command_write_file(Tarn *tarn, const char *path, const char *what, const char *format,
                       const char *name) {
  char beside[4096];
  struct stat about;
  const bool is_excerpt = strcmp(format, "json") != 0;
  const int status = write_file(tarn, path, what, format, name);
  if (status || !is_excerpt || !tarn_is_cut(tarn) || stat(path, &about) ||
      !S_ISREG(about.st_mode))
    return status;
  snprintf(beside, sizeof beside, "%s.run.json", path);
  return write_file(tarn, beside, what, "json", "run");
}

int command_put_file(const char *path, const char *text, size_t size) {
  FILE *file = fopen(path, "wb");
  const bool ok = file && fwrite(text, 1, size, file) == size;
  return (file && fclose(file)) || !ok ? command_fail("%s: cannot be written", path) : STATUS_OK;
}

int command_write_answers(Command *command, const char *path, const char *format) {
  return command_write_file(command->tarn, path, "answers", format,
                            strcmp(format, "html") ? "report" : "page");
}

// Whether a file can be written, before the work whose result it is for. What is there stays,
// also a link to a file that is not.
int command_try_writing(const char *path) {
  struct stat about;
  const bool exists = path && !stat(path, &about);
  if (!path ||
      (exists ? !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode) : !lstat(path, &about)))
    return 0;
  FILE *file = fopen(path, "ab");
  if (!file)
    return command_fail("%s: cannot be written: %s", path, strerror(errno));
  fclose(file);
  if (!exists)
    remove(path);
  return 0;
}

int command_make_folder(const char *path) {
  struct stat about;
  if (mkdir(path, 0777) && (errno != EEXIST || (!stat(path, &about) && !S_ISDIR(about.st_mode))))
    return command_fail("%s: this folder cannot be made: %s", path, strerror(errno));
  return 0;
}

// The bytes of the UTF-8 character that begins here; 0 if there is none, as in names of files in
// other encodings, and at the end of a message that was cut off.
static size_t character(const unsigned char *at) {
  const size_t size = *at < 0x80 ? 1 : *at < 0xc2 ? 0 : *at < 0xe0 ? 2 : *at < 0xf0 ? 3 : 4;
  for (size_t i = 1; i < size; i++)
    if (at[i] >> 6 != 2)
      return 0;
  const bool is_other = (*at == 0xe0 && at[1] < 0xa0) || (*at == 0xed && at[1] > 0x9f) ||
                        (*at == 0xf0 && at[1] < 0x90) || (*at == 0xf4 && at[1] > 0x8f) ||
                        *at > 0xf4; // overlong, a surrogate, too large
  return is_other ? 0 : size;
}

// With JSON as output, errors are JSON, too.
void command_print_failure(Command *command) {
  if (!*failure) {
    tarn_write(command->tarn, stdout, "answers", "json");
    return;
  }
  printf("{\"tarn\": \"%s\", \"schema\": \"answers-1.json\", \"errors\": [{\"command\": "
         "\"tarn\", \"text\": \"",
         tarn_version());
  for (const unsigned char *at = (const unsigned char *)failure; *at;) {
    const size_t size = character(at);
    if (!size)
      fputs("\\ufffd", stdout);
    else if (*at < 32)
      printf("\\u%04x", *at);
    else
      printf("%s%.*s", *at == '"' || *at == '\\' ? "\\" : "", (int)size, (const char *)at);
    at += size ? size : 1;
  }
  puts("\"}], \"warnings\": [], \"results\": []}");
}
