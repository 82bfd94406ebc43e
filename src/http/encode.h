/* encode.h - applies a content coding, gzip or zstd, to a staged reply if the
 * client's Accept-Encoding admits one (RFC 9110, section 12.5.3). Binary
 * replies, which hardly shrink, are encoded only if the header itself gives
 * identity a lower weight. Replies of less than ENCODE_LEAST bytes are never
 * encoded. */
#ifndef HTTP_ENCODE_H
#define HTTP_ENCODE_H

struct exchange;

enum { ENCODE_LEAST = 1024 };

/* Encodes the exchange's reply, if it is to be encoded, and adds the headers
 * Content-Encoding and Vary. A short text is encoded by this call; another
 * reply is encoded on the pool, one piece at a time, while it is sent. Without
 * memory for an encoder the reply is sent unencoded. A reply 304 without a body
 * gets the ETag, Vary and, where it is known, Content-Length of a 200 (RFC
 * 9110, 15.4.5), as exchange_reply_unchanged() tells. */
void encode_reply(struct exchange *x);

#endif
