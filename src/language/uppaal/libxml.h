// SPEED: 2.8 million instructions of each start, as many as a search of 1,500 transitions takes.
//
// Loads libxml2 when the first XML file is read: it brings four more libraries, and most models
// need none of them. A program that is linked with libxml2, such as a static one, uses that copy.
#pragma once

#include <libxml/parser.h>
#include <libxml/tree.h>
#include <stdbool.h>

typedef struct LibXml {
  xmlParserCtxt *(*new_context)(void);
  xmlDoc *(*read)(xmlParserCtxt *, const char *text, int size, const char *url,
                  const char *encoding, int options);
  xmlNode *(*root)(const xmlDoc *);
  long (*line)(const xmlNode *);
  void (*free_document)(xmlDoc *);
  void (*free_context)(xmlParserCtxt *);
} LibXml;

// False if it is not installed.
bool libxml_load(LibXml *);
