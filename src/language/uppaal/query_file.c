#include "language/uppaal/query_file.h"

#include "language/tchecker/lexer.h"

#include <string.h>

uint32_t query_file_comment_end(const char *text, uint32_t at, uint32_t end) {
  if (end - at >= 2 && text[at] == '/' && text[at + 1] == '/')
    return at + (uint32_t)strcspn(text + at, "\n");
  return lexer_comment(text, at, end);
}

// EXPECT:T or EXPECT: T in a comment.
static const char *expectation(Arena *arena, const char *text, uint32_t begin, uint32_t end) {
  static const char mark[] = "EXPECT:";
  for (uint32_t i = begin; i + sizeof mark - 1 <= end; i++) {
    if (memcmp(text + i, mark, sizeof mark - 1) != 0)
      continue;
    uint32_t first = i + (uint32_t)sizeof mark - 1;
    first += (uint32_t)strspn(text + first, " \t");
    uint32_t last = first;
    while (last < end && !strchr(" \t\r\n*", text[last]))
      last++;
    return last > first ? arena_text(arena, text + first, last - first) : NULL;
  }
  return NULL;
}

const char *query_file_expectation(Arena *arena, const char *query, size_t size) {
  const char *found = NULL;
  for (uint32_t at = 0, end; at < size && !found; at = end ? end : at + 1) {
    end = query_file_comment_end(query, at, (uint32_t)size);
    found = end ? expectation(arena, query, at, end) : NULL;
  }
  return found;
}

void query_file_bare(Text *text, const char *query) {
  const uint32_t size = (uint32_t)strlen(query);
  Text bare = {.mem = text->mem};
  for (uint32_t at = 0, end; at < size; at = end) {
    end = query_file_comment_end(query, at, size);
    text_add_bytes(&bare, end ? " " : query + at, 1);
    end = end ? end : at + 1;
  }
  const char *chars = text_chars(&bare);
  const size_t first = strspn(chars, " \t\r\n");
  size_t last = bare.size;
  while (last > first && strchr(" \t\r\n", chars[last - 1]))
    last--;
  text_add_bytes(text, chars + first, last - first);
  text_release(&bare);
}

typedef struct QueryFile {
  Arena *arena;
  const Source *source;
  bool is_uppaal;
  uint32_t at, line;
  const char *expect;
  bool has_text;
  uint32_t begin, end, begin_line; // of the query, without what is not text around it
  Text comment;                    // of it, without marks
} QueryFile;

// A comment before a query, or in its lines.
static void keep_comment(QueryFile *f, uint32_t begin, uint32_t end) {
  const char *text = f->source->text;
  const bool is_block = text[begin] == '/' && text[begin + 1] == '*';
  begin += text[begin] == '#' ? 1 : 2;
  end -= is_block && end - begin >= 2 ? 2 : 0;
  while (begin < end && strchr(" \t\r\n", text[begin]))
    begin++;
  while (end > begin && strchr(" \t\r\n", text[end - 1]))
    end--;
  if (f->comment.size)
    text_add_char(&f->comment, '\n');
  text_add_bytes(&f->comment, text + begin, end - begin);
}

// Skips a comment, or a line end behind a backslash; false if there is none here.
static bool skip(QueryFile *f) {
  const char *text = f->source->text;
  const uint32_t size = (uint32_t)f->source->size, begin = f->at;
  if (text[begin] == '/' && text[begin + 1] == '*' && !strstr(text + begin + 2, "*/"))
    return false; // it does not end: the reader of queries says so
  if (text[begin] == '#' && (!f->has_text || !f->is_uppaal)) {
    f->at += (uint32_t)strcspn(text + begin, "\n");
  } else if (query_file_comment_end(text, begin, size)) {
    f->at = query_file_comment_end(text, begin, size);
  } else if (text[begin] == '\\' && f->is_uppaal) {
    const uint32_t k = begin + 1 + (uint32_t)strspn(text + begin + 1, " \t\r");
    if (text[k] != '\n')
      return false;
    f->at = k + 1;
  } else {
    return false;
  }
  if (text[begin] != '\\')
    keep_comment(f, begin, f->at);
  for (uint32_t i = begin; i < f->at; i++)
    f->line += text[i] == '\n';
  const char *expect = expectation(f->arena, text, begin, f->at);
  f->expect = expect ? expect : f->expect;
  return true;
}

static QueryNode *node_of(const QueryFile *f) {
  QueryNode *query = ARENA_NEW(f->arena, QueryNode);
  *query =
      (QueryNode){.source = f->source, .begin = f->begin, .end = f->end, .expect = f->expect};
  Text position = {.mem = f->arena->mem};
  text_addf(&position, "%s:%u", f->source->name, (unsigned)f->begin_line);
  query->position = arena_text(f->arena, text_chars(&position), position.size);
  query->comment =
      f->comment.size ? arena_text(f->arena, f->comment.chars, f->comment.size) : NULL;
  text_release(&position);
  return query;
}

static void take_text(QueryFile *f) {
  if (!f->has_text) {
    f->has_text = true;
    f->begin = f->at;
    f->begin_line = f->line;
  }
  f->end = f->at + 1;
}

// The file may end in a query or in a comment, without a line end.
const QueryNode *query_file_split(Arena *arena, const Source *source, bool is_uppaal) {
  QueryFile f = {.arena = arena,
                 .source = source,
                 .is_uppaal = is_uppaal,
                 .at = report_text_begin(source),
                 .line = 1,
                 .comment = {.mem = arena->mem}};
  QueryNode *first = NULL, **last = &first;
  for (;;) {
    const bool is_end = f.at >= source->size;
    const char c = is_end ? '\n' : source->text[f.at];
    if (c != '\n' && skip(&f))
      continue;
    if (c != '\n') {
      if (!strchr(" \t\r", c))
        take_text(&f);
      f.at++;
      continue;
    }
    if (f.has_text) {
      *last = node_of(&f);
      last = &(*last)->next;
      f.expect = NULL;
      text_clear(&f.comment);
    }
    if (is_end) {
      text_release(&f.comment);
      return first;
    }
    f.has_text = false;
    f.line++;
    f.at++;
  }
}
