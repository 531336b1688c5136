// Reads UPPAAL's XML files, of all versions, into a Document. Labels are texts of their own, with
// places that name the template, the location or edge, and the label.
//
// A document that is not well formed is an error. So are elements and kinds of labels that UPPAAL
// does not have, and repeated ones that would replace an earlier one. Only the file itself is
// opened: no DTD, no entity. Entities that the file declares are left out. Depth and size are
// bounded by libxml2 and by XML_MAX_BYTES.
#pragma once

#include "language/uppaal/parser.h"

enum { XML_MAX_BYTES = 256 << 20, XML_MAX_TAG = 1 << 16 };

// The parser has its arena, report and names; it is used for all labels. What is refused
// (scenarios) is reported as an error.
void xml_read(Parser *, Document *, const Source *);
