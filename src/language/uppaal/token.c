#include "language/uppaal/token.h"

#include <string.h>

static const char *const words[] = {"",
#define W(word) #word,
                                    UPPAAL_WORDS(W)
#undef W
};

// As strcmp would compare the name with a word; most differ in the first letter.
static int compare(const char *text, uint32_t length, const char *word) {
  for (uint32_t i = 0; i < length; i++)
    if (text[i] != word[i])
      return (unsigned char)text[i] - (unsigned char)word[i];
  return word[length] ? -1 : 0;
}

static Word find_word(const char *text, uint32_t length) {
  uint32_t low = 1, high = sizeof words / sizeof *words;
  if (length < 2) // no word is that short
    return WORD_none;
  while (low < high) { // they are sorted
    const uint32_t middle = (low + high) / 2;
    const int order = compare(text, length, words[middle]);
    if (!order)
      return (Word)middle;
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return WORD_none;
}

// The second and later bytes of a character in UTF-8.
static bool is_continuation(char c) { return ((unsigned char)c & 0xc0) == 0x80; }

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Longer ones first.
static const struct {
  const char *text;
  int kind;
} symbols[] = {
    {"-u->", UT_UARROW}, {"<<=", UT_SET_SHL}, {">>=", UT_SET_SHR}, {"->", UT_ARROW},
    {"<=", UT_LE},       {">=", UT_GE},       {"==", UT_EQ},       {"!=", UT_NE},
    {"&&", UT_AND},      {"||", UT_OR},       {"<<", UT_SHL},      {">>", UT_SHR},
    {"<?", UT_MIN},      {">?", UT_MAX},      {"**", UT_POWER},    {"++", UT_INC},
    {"--", UT_DEC},      {":=", UT_SET},      {"+=", UT_SET_ADD},  {"-=", UT_SET_SUB},
    {"*=", UT_SET_MUL},  {"/=", UT_SET_DIV},  {"%=", UT_SET_MOD},  {"&=", UT_SET_AND},
    {"|=", UT_SET_OR},   {"^=", UT_SET_XOR},
};

static const char alone[] = ";,.()[]{}'"; // no longer symbol begins so
static const char singles[] = "+-*/%<>&|^!?:;,.()[]{}'";

typedef struct Scan {
  const char *text;
  uint32_t at, end;
  TokenMode mode;
} Scan;

static bool starts(const Scan *s, const char *symbol) {
  if (s->at == s->end || s->text[s->at] != *symbol)
    return false;
  const size_t length = strlen(symbol);
  return s->end - s->at >= length && !memcmp(s->text + s->at, symbol, length);
}

static char peek(const Scan *s, uint32_t ahead) {
  return s->end - s->at > ahead ? s->text[s->at + ahead] : '\0';
}

// Nothing but blanks follows in this line.
static bool ends_line(const Scan *s) {
  uint32_t ahead = 1;
  while (peek(s, ahead) == ' ' || peek(s, ahead) == '\t' || peek(s, ahead) == '\r')
    ahead++;
  return peek(s, ahead) == '\n';
}

// Behind a comment that begins here; 0: it does not end.
static uint32_t comment_end(const Scan *s) {
  for (uint32_t at = s->at + 2; at + 1 < s->end; at++)
    if (s->text[at] == '*' && s->text[at + 1] == '/')
      return at + 2;
  return 0;
}

// Blanks and comments. A comment that does not end is no comment.
static void skip(Scan *s) {
  while (s->at < s->end) {
    const char c = s->text[s->at];
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v' || c == '\0') {
      s->at++;
    } else if (starts(s, "//")) {
      while (s->at < s->end && s->text[s->at] != '\n')
        s->at++;
    } else if (starts(s, "/*")) {
      const uint32_t end = comment_end(s);
      if (!end)
        return;
      s->at = end;
    } else if (starts(s, "\xEF\xBB\xBF") || starts(s, "\xC2\xA0")) {
      s->at += c == '\xC2' ? 2 : 3; // the mark of Windows editors, a blank that does not break
    } else if (c == '\\' && (s->mode == TOKEN_QUERY || ends_line(s))) {
      s->at++; // the end of a line that goes on
    } else {
      return;
    }
  }
}

// [ DIGITS ] [ "." DIGITS ] [ ("e" | "E") [ "+" | "-" ] DIGITS ]
static void number(Scan *s, UToken *token) {
  token->kind = UT_NUMBER;
  while (is_digit(peek(s, 0))) {
    if (token->value <= INT32_MAX)
      token->value = token->value * 10 + (peek(s, 0) - '0');
    s->at++;
  }
  if (peek(s, 0) == '.' && is_digit(peek(s, 1))) {
    token->kind = UT_DOUBLE;
    for (s->at++; is_digit(peek(s, 0));)
      s->at++;
  }
  const uint32_t sign = peek(s, 1) == '-' || peek(s, 1) == '+';
  if ((peek(s, 0) == 'e' || peek(s, 0) == 'E') && is_digit(peek(s, 1 + sign))) {
    token->kind = UT_DOUBLE;
    for (s->at += 1 + sign; is_digit(peek(s, 0));)
      s->at++;
  }
}

static void name(Scan *s, UToken *token) {
  token->kind = UT_NAME;
  while (is_letter(peek(s, 0)) || is_digit(peek(s, 0)) || peek(s, 0) == '$' || peek(s, 0) == '#')
    s->at++;
  token->word = find_word(s->text + token->offset, s->at - token->offset);
}

static void string(Scan *s, UToken *token) {
  token->kind = UT_STRING;
  for (s->at++; s->at < s->end && peek(s, 0) != '"';)
    s->at++;
  s->at += s->at < s->end;
}

static void symbol(Scan *s, UToken *token) {
  if (s->mode == TOKEN_QUERY && starts(s, "-->")) {
    token->kind = UT_LEADS_TO;
    s->at += 3;
    return;
  }
  if (s->mode == TOKEN_OLD && (starts(s, "=<") || starts(s, "=>"))) {
    token->kind = peek(s, 1) == '<' ? UT_LE : UT_GE;
    s->at += 2;
    return;
  }
  const bool is_single = peek(s, 0) && strchr(alone, peek(s, 0));
  for (uint32_t k = 0; !is_single && k < sizeof symbols / sizeof *symbols; k++)
    if (starts(s, symbols[k].text)) {
      token->kind = symbols[k].kind;
      s->at += (uint32_t)strlen(symbols[k].text);
      return;
    }
  const char c = s->text[s->at++];
  token->kind = c == '=' ? UT_SET : c && strchr(singles, c) ? c : UT_BAD;
  while (token->kind == UT_BAD && is_continuation(peek(s, 0)))
    s->at++; // a message shows the character whole
}

static UToken next(Scan *s) {
  skip(s);
  UToken token = {.offset = s->at};
  const char c = peek(s, 0);
  if (s->at == s->end)
    return token;
  if (is_digit(c) || (c == '.' && is_digit(peek(s, 1))))
    number(s, &token);
  else if (is_letter(c))
    name(s, &token);
  else if (c == '"')
    string(s, &token);
  else if (starts(s, "/*")) // it does not end
    token.kind = UT_BAD, s->at = s->end;
  else
    symbol(s, &token);
  token.length = s->at - token.offset;
  return token;
}

void token_scan(UTokens *tokens, Mem *mem, const Source *source, uint32_t begin, uint32_t end,
                TokenMode mode) {
  Scan scan = {source->text, begin, end, mode};
  UToken token;
  do {
    token = next(&scan);
    vec_push(mem, tokens, token);
  } while (token.kind != UT_END);
}
