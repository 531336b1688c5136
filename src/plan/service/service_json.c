#include "plan/service/service_json.h"

static json_t *position_json(const ServiceDocument *d, uint32_t offset) {
  const ServicePosition p = service_text_position(&d->text, offset);
  return json_pack("{s:i, s:i}", "line", (int)p.line, "character", (int)p.character);
}

json_t *service_json_range(const ServiceDocument *d, uint32_t begin, uint32_t end) {
  return json_pack("{s:o, s:o}", "start", position_json(d, begin), "end", position_json(d, end));
}

json_t *service_json_text(const char *text, size_t size) {
  json_t *string = json_stringn(text, size);
  return string ? string : json_string("?");
}

ServicePosition service_json_position(const json_t *json) {
  const json_int_t line = json_integer_value(json_object_get(json, "line"));
  const json_int_t character = json_integer_value(json_object_get(json, "character"));
  return (ServicePosition){line < 0 || line > INT32_MAX ? 0 : (uint32_t)line,
                           character < 0 || character > INT32_MAX ? 0 : (uint32_t)character};
}
