#include "command/http_library.h"

#if HAS_HTTP
#include <dlfcn.h>
#include <string.h>

// ISO C has no conversion from a data pointer to a function pointer; POSIX says that they are the
// same.
static bool find(void *library, const char *name, void *function, size_t size) {
  void *symbol = dlsym(library, name);
  memcpy(function, &symbol, size);
  return symbol;
}

#define FIND(field, name) find(library, name, &http->field, sizeof http->field)

bool http_library_load(HttpLibrary *http) {
  void *library = dlopen(TARN_MICROHTTPD, RTLD_NOW | RTLD_LOCAL); // stays
  return library && FIND(start, "MHD_start_daemon") && FIND(stop, "MHD_stop_daemon") &&
         FIND(run, "MHD_run") && FIND(daemon_info, "MHD_get_daemon_info") &&
         FIND(connection_info, "MHD_get_connection_info") &&
         FIND(set_option, "MHD_set_connection_option") && FIND(timeout, "MHD_get_timeout") &&
         FIND(header, "MHD_lookup_connection_value") &&
         FIND(response, "MHD_create_response_from_buffer") &&
         FIND(stream, "MHD_create_response_from_callback") &&
         FIND(add_header, "MHD_add_response_header") && FIND(queue, "MHD_queue_response") &&
         FIND(destroy, "MHD_destroy_response") && FIND(suspend, "MHD_suspend_connection") &&
         FIND(resume, "MHD_resume_connection");
}
#endif
