#include "language/uppaal/libxml.h"

#include <dlfcn.h>
#include <string.h>

#pragma weak xmlNewParserCtxt
#pragma weak xmlCtxtReadMemory
#pragma weak xmlDocGetRootElement
#pragma weak xmlGetLineNo
#pragma weak xmlFreeDoc
#pragma weak xmlFreeParserCtxt

// ISO C has no conversion from a data pointer to a function pointer; POSIX says that they are the
// same.
static bool find(void *library, const char *name, void *function, size_t size) {
  void *symbol = dlsym(library, name);
  memcpy(function, &symbol, size);
  return symbol;
}

#define FIND(field, name) find(library, name, &xml->field, sizeof xml->field)

bool libxml_load(LibXml *xml) {
  *xml = (LibXml){xmlNewParserCtxt, xmlCtxtReadMemory, xmlDocGetRootElement,
                  xmlGetLineNo,     xmlFreeDoc,        xmlFreeParserCtxt};
  if (xml->new_context)
    return true;
#ifdef __EMSCRIPTEN__
  return false; // no module can be loaded
#else
  void *library = dlopen(TARN_LIBXML, RTLD_NOW | RTLD_LOCAL); // stays: it has a state of its own
  return library && FIND(new_context, "xmlNewParserCtxt") && FIND(read, "xmlCtxtReadMemory") &&
         FIND(root, "xmlDocGetRootElement") && FIND(line, "xmlGetLineNo") &&
         FIND(free_document, "xmlFreeDoc") && FIND(free_context, "xmlFreeParserCtxt");
#endif
}
