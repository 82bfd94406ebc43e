/* response.h - makes libmicrohttpd's response object from a staged reply. */
#ifndef HTTP_RESPONSE_H
#define HTTP_RESPONSE_H

#include <microhttpd.h>

#include "http/exchange.h"

/* Takes over the reply's memory; NULL without memory for it. */
struct MHD_Response *response_make(struct exchange *x);

#endif
