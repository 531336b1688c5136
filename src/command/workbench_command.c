#define _POSIX_C_SOURCE 200809L
#include "command/workbench_command.h"

#include "command/command_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Where the page has a place for a model: workbench/build.mjs writes it.
#define PLACE "<!--model-->"

static char *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  char *text = NULL, buffer[1 << 14];
  size_t count;
  FILE *memory = file ? open_memstream(&text, size) : NULL;
  while (memory && (count = fread(buffer, 1, sizeof buffer, file)))
    fwrite(buffer, 1, count, memory);
  const bool failed = file && ferror(file);
  if (file)
    fclose(file);
  if (memory)
    fclose(memory);
  if (failed) {
    free(text);
    return NULL;
  }
  return text;
}

// The page: what TARN_WORKBENCH names, or where it is installed or built, beside the program.
static char *read_page(size_t *size) {
  static const char *const places[] = {"../share/tarn/workbench.html",
                                       "../workbench/workbench.html"};
  const char *given = getenv("TARN_WORKBENCH");
  if (given && *given)
    return read_file(given, size);
  char program[4096], path[sizeof program + 40];
  const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  if (length <= 0)
    return NULL;
  program[length] = '\0';
  char *slash = strrchr(program, '/');
  char *text = NULL;
  for (size_t i = 0; slash && !text && i < sizeof places / sizeof *places; i++) {
    slash[1] = '\0';
    snprintf(path, sizeof path, "%s%s", program, places[i]);
    text = read_file(path, size);
  }
  return text;
}

// As a string of JSON that can stand in an element of HTML. Its letters are the bytes of the
// file, which may have any encoding: the page decodes it as one that it opens.
static void write_string(FILE *out, const char *text, size_t size) {
  fputc('"', out);
  for (size_t i = 0; i < size; i++) {
    const unsigned char c = (unsigned char)text[i];
    if (c == '"' || c == '\\')
      fprintf(out, "\\%c", c);
    else if (c < 0x20 || c == '<' || c >= 0x7f)
      fprintf(out, "\\u%04x", c);
    else
      fputc(c, out);
  }
  fputc('"', out);
}

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static size_t stem_of(const char *path) {
  const char *dot = strrchr(base_name(path), '.');
  return dot ? (size_t)(dot - path) : strlen(path);
}

// The queries beside a model that has none inside.
static char *read_queries(const char *model, size_t *size) {
  const size_t stem = stem_of(model);
  char *path = malloc(stem + 3), *text = NULL;
  if (path && strcmp(model + stem, ".xml") != 0) {
    memcpy(path, model, stem);
    memcpy(path + stem, ".q", 3);
    text = read_file(path, size);
  }
  free(path);
  return text;
}

static int write_model(FILE *out, const char *path) {
  size_t size = 0, query_size = 0;
  char *text = read_file(path, &size);
  if (!text)
    return command_fail("%s cannot be read", path);
  char *queries = read_queries(path, &query_size);
  fputs("<script type=\"application/json\" id=\"model-data\">{\"name\":", out);
  write_string(out, base_name(path), strlen(base_name(path)));
  fputs(",\"text\":", out);
  write_string(out, text, size);
  fputs(",\"queries\":", out);
  write_string(out, queries ? queries : "", query_size);
  fputs("}</script>", out);
  free(text);
  free(queries);
  return STATUS_OK;
}

char *workbench_page(const char *model, const char *more, size_t *size) {
  size_t page_size = 0;
  char *page = read_page(&page_size), *text = NULL;
  const char *place = page ? strstr(page, PLACE) : NULL;
  FILE *out = place ? open_memstream(&text, size) : NULL;
  bool failed = !out;
  if (page && !place)
    command_fail("the page of the workbench is damaged: make it again");
  if (out) {
    fwrite(page, 1, (size_t)(place - page), out);
    fputs(more, out);
    failed = model && write_model(out, model);
    fwrite(place, 1, page_size - (size_t)(place - page), out);
    fclose(out);
  }
  free(page);
  if (failed) {
    free(text);
    return NULL;
  }
  return text;
}

bool workbench_has_page(void) {
  size_t size;
  char *page = read_page(&size);
  free(page);
  return page;
}

int workbench_command(Command *command, int argc, char **argv) {
  int status = command_line_parse(command, "workbench", argc, argv, 0);
  if (status)
    return status;
  if (command->word_count > 1)
    return command_fail("workbench takes one model; see `tarn help workbench`");
  if (!workbench_has_page())
    return command_fail("this tarn comes without the page of the workbench: in the source tree, "
                        "`tools/deps workbench` and `make workbench` make it; TARN_WORKBENCH can "
                        "name it");
  size_t size = 0;
  char *page = workbench_page(command->model, "", &size);
  if (!page)
    return STATUS_ERROR;
  char name[4096];
  const char *model = command->model;
  const char *base = model ? base_name(model) : "tarn";
  snprintf(name, sizeof name, "%.*s-workbench.html",
           model ? (int)(stem_of(model) - (size_t)(base - model)) : 4, base);
  const char *output = command->output ? command->output : name;
  status = command_put_file(output, page, size);
  free(page);
  if (!status)
    printf("%s: open it in a browser\n", output);
  return status;
}
