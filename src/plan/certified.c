#include "plan/certified.h"

#include "base/sha256.h"
#include "output/jsonparts.h"

#include <jansson.h>

// A sentence only if it is accepted: what is rejected proves nothing.
static void add_sentence(Text *text, const CertifiedPiece *piece) {
  if (piece->reason)
    return;
  text_add(text, "Proved: ");
  if (piece->query)
    text_addf(text, "the query \"%s\" is %s in", piece->query, piece->verdict);
  else
    text_addf(text, "%s of", piece->verdict);
  text_addf(text, " the model %s (SHA-256 ", piece->model);
  sha256_print(text, piece->hash);
  text_addf(text, "), by the %s %s, checked by tarn certify %s; trusted are %s.\n", piece->kind,
            piece->file, TARN_VERSION, piece->trusted);
}

static void add_result(Text *text, const CertifiedPiece *piece) {
  Text hash = {.mem = text->mem};
  sha256_print(&hash, piece->hash);
  json_t *object = json_pack("{s:s, s:s, s:s, s:s, s:s, s:b, s:s*, s:s}", "model", piece->model,
                             "sha256", text_chars(&hash), "evidence", piece->file, "kind",
                             piece->kind, "verdict", piece->verdict, "accepted", !piece->reason,
                             "reason", piece->reason, "trusted", piece->trusted);
  json_object_set_new(object, "query", piece->query ? json_string(piece->query) : json_null());
  if (text->size)
    text_add(text, ",\n  ");
  jsonparts_add(text, object, JSON_SORT_KEYS);
  text_release(&hash);
}

void certified_add(Certified *certified, const CertifiedPiece *piece) {
  add_sentence(&certified->sentences, piece);
  add_result(&certified->results, piece);
}

void certified_write(Text *text, const Certified *certified, bool is_json) {
  if (!is_json) {
    text_add(text, text_chars(&certified->sentences));
    return;
  }
  text_addf(text,
            "{\"tarn\": \"%s\", \"schema\": \"certified-1.json\", \"checker\": \"tarn "
            "certify\",\n \"results\": [%s]}\n",
            TARN_VERSION, text_chars(&certified->results));
}

void certified_clear(Certified *certified) {
  text_clear(&certified->sentences);
  text_clear(&certified->results);
}
