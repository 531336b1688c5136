// libmicrohttpd, loaded when `tarn serve` begins: it brings a dozen more libraries, and no other
// command needs it. Builds without its header can never load it.
#pragma once

typedef struct HttpLibrary HttpLibrary;

#if __has_include(<microhttpd.h>)
#define HAS_HTTP 1
#include <microhttpd.h>
#include <stdbool.h>

struct HttpLibrary {
  struct MHD_Daemon *(*start)(unsigned flags, uint16_t port, MHD_AcceptPolicyCallback, void *,
                              MHD_AccessHandlerCallback, void *, ...);
  void (*stop)(struct MHD_Daemon *);
  enum MHD_Result (*run)(struct MHD_Daemon *);
  const union MHD_DaemonInfo *(*daemon_info)(struct MHD_Daemon *, enum MHD_DaemonInfoType, ...);
  const union MHD_ConnectionInfo *(*connection_info)(struct MHD_Connection *,
                                                     enum MHD_ConnectionInfoType, ...);
  enum MHD_Result (*set_option)(struct MHD_Connection *, enum MHD_CONNECTION_OPTION, ...);
  enum MHD_Result (*timeout)(struct MHD_Daemon *, MHD_UNSIGNED_LONG_LONG *);
  const char *(*header)(struct MHD_Connection *, enum MHD_ValueKind, const char *);
  struct MHD_Response *(*response)(size_t, void *, enum MHD_ResponseMemoryMode);
  struct MHD_Response *(*stream)(uint64_t, size_t, MHD_ContentReaderCallback, void *,
                                 MHD_ContentReaderFreeCallback);
  enum MHD_Result (*add_header)(struct MHD_Response *, const char *, const char *);
  enum MHD_Result (*queue)(struct MHD_Connection *, unsigned, struct MHD_Response *);
  void (*destroy)(struct MHD_Response *);
  void (*suspend)(struct MHD_Connection *);
  void (*resume)(struct MHD_Connection *);
};

bool http_library_load(HttpLibrary *); // false: it is not installed
#else
#define HAS_HTTP 0
#endif
