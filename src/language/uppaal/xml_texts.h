// Where the texts of an XML file stand in it: declarations, labels, queries.
//
// libxml2 reads the file, but tells only lines. This finds the bytes of each element that has
// text for the reader, and what the characters of the decoded text look like in the file. It
// assumes that the file is well formed; otherwise it finds what it can.
#pragma once

#include "base/report.h"
#include "base/vec.h"

typedef struct XmlText {
  const char *element;  // a name of the format, such as "declaration" or "label"
  uint32_t tag;         // where `<` of its start tag stands
  uint32_t begin, end;  // its content, in the file
  const char *kind;     // of a label, in the file; not ended by a NUL
  uint32_t kind_length; // 0: it has none
  uint32_t parent;      // where the start tag of the element around it stands
} XmlText;

typedef VEC(XmlText) XmlTexts;

// The elements declaration, parameter, system, instantiation, name, label, formula and comment,
// in the order of the file, also empty ones.
bool xml_texts_has(const char *element); // it is one of these
void xml_texts_find(XmlTexts *, Mem *, const Source *);
bool xml_texts_is(const XmlText *, const char *element, const char *kind); // kind NULL: any

// The content, decoded, and the map: the byte at `i` of the text begins at map[i] of the file;
// map[size] is the end of the content. False if there are elements or comments in it, or a CDATA
// section beside other text: then nothing is decoded. Both are to be released.
typedef VEC(uint32_t) XmlMap;
bool xml_texts_decode(const XmlText *, Mem *, const Source *, Text *, XmlMap *);
