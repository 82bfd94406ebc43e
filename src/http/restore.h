/* restore.h - what the journal holds, brought back into the service when the
 * process starts (api_restore()), and its stored matrices removed from the
 * journal when their time to live ends. */
#ifndef HTTP_RESTORE_H
#define HTTP_RESTORE_H

#include "matrix/store.h"

/* For store_on_expiry(); arg is the struct api. */
void restore_on_expiry(void *arg, const struct stored *s);

#endif
