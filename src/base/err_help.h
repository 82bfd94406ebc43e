/* err_help.h - the text of GET /problems/{name} for each kind of error: what it
 * means, when it occurs, and what to do about it. err.c does not compile unless
 * every row of ERR_CODES has a row here. */
#ifndef BASE_ERR_HELP_H
#define BASE_ERR_HELP_H

/* code, meaning, remedy */
#define ERR_HELP(X)                                                           \
X(ERR_NONE,                                                                   \
  "No error occurred.",                                                       \
  "There is nothing to do.")                                                  \
X(ERR_REQUEST,                                                                \
  "The request could not be understood: the body is not valid JSON, npz or "  \
  "form data, one header contradicts another, or an operand is missing, "     \
  "given twice or unknown to the operation.",                                 \
  "Read the member detail, which names the place. GET /ops lists the "        \
  "operands of every operation, GET /openapi.yaml describes every request.")  \
X(ERR_PARAMETER,                                                              \
  "A parameter is unknown to this path, is given twice, or has a value "      \
  "that is not allowed. Unknown parameters are refused, never ignored.",      \
  "Compare the parameter with GET /ops, which lists the type, default and "   \
  "range of each. GET /kernels lists the values of variant, GET /devices "    \
  "those of device.")                                                         \
X(ERR_FORMAT,                                                                 \
  "The bytes of an operand are not a valid matrix in the format that "        \
  "Content-Type names. Examples are rows of different lengths, a length "     \
  "that does not match the shape, an npy file that is truncated or holds "    \
  "pickled objects, and an unknown generator.",                               \
  "Read the member detail, which names the row, the byte or both lengths. "   \
  "Check that Content-Type matches the file.")                                \
X(ERR_TOKEN,                                                                  \
  "This service requires a token, and the request had none or one that is "   \
  "not in the token file.",                                                   \
  "Send the header 'Authorization: Bearer TOKEN', with curl: -H "             \
  "\"Authorization: Bearer $TOKEN\". The tokens are in the file that the "    \
  "service's option --token-file names.")                                     \
X(ERR_ORIGIN,                                                                 \
  "A web browser sent the request for a page of another origin. Such a "      \
  "page could act without its user's knowledge.",                             \
  "If that page may use this service, start the service with "                \
  "--allow-origin and the page's origin, as in --allow-origin "               \
  "https://app.example.")                                                     \
X(ERR_FORBIDDEN,                                                              \
  "The token is known, but does not allow this request: it lacks the scope "  \
  "that the path needs, which the member detail names, or the job asks for "  \
  "a more urgent priority than the token allows.",                            \
  "Use a token with that scope, or have it added to the token's line of the " \
  "token file. GET /tenant tells what a token allows.")                       \
X(ERR_NOT_FOUND,                                                              \
  "This path does not exist, or there is no job or stored matrix with this "  \
  "name. Records are kept of the last 1000 jobs.",                            \
  "GET /ops lists the operations, GET /jobs the jobs, GET /matrices the "     \
  "stored matrices, and GET /openapi.yaml all paths.")                        \
X(ERR_METHOD,                                                                 \
  "The path exists, but does not support this method. Operations are "        \
  "called with POST.",                                                        \
  "Use one of the methods in the header Allow.")                              \
X(ERR_ACCEPT,                                                                 \
  "The response is not available in any media type that the header Accept "   \
  "allows. A sparse matrix, for example, cannot be sent as npy.",             \
  "Ask for application/json, application/x-npy, application/octet-stream, "   \
  "application/x-npz or application/x-matrix-market, or omit Accept.")        \
X(ERR_SLOW,                                                                   \
  "The headers or the body of the request arrived too slowly. A whole body "  \
  "must arrive within a fixed time, so a longer body must arrive at a "       \
  "higher rate.",                                                             \
  "Use a faster connection, send less at once, or start the service with a "  \
  "larger --transfer-seconds.")                                               \
X(ERR_CONFLICT,                                                               \
  "The request conflicts with the present state: it asks for the result of "  \
  "a job that is still waiting or running, or it repeats an "                 \
  "Idempotency-Key whose first request is still running.",                    \
  "Repeat GET /jobs/{id} until the status is successful, then fetch the "     \
  "result. The header Retry-After says when to ask again.")                   \
X(ERR_GONE,                                                                   \
  "The result existed, but is no longer kept: its time to live has passed, "  \
  "or the job was synchronous and its result was sent in the response.",      \
  "Run the job again. Results of asynchronous jobs are kept for the time "    \
  "that the service's option --result-ttl sets, by default 600 s.")           \
X(ERR_LENGTH,                                                                 \
  "A binary body was sent without Content-Length, so the service could not "  \
  "reserve memory for it.",                                                   \
  "Send Content-Length. curl does so for files (-T FILE, --data-binary "      \
  "@FILE), but not for a pipe. JSON and Matrix Market may be sent in "        \
  "chunks.")                                                                  \
X(ERR_PRECONDITION,                                                           \
  "If-Match or If-None-Match did not hold: the stored matrix has changed "    \
  "since its ETag was read, is there although it must not be, or is not "     \
  "there although it must be. Nothing was changed.",                          \
  "Read the matrix and its ETag again, then repeat the request with that "    \
  "one.")                                                                     \
X(ERR_TOO_LARGE,                                                              \
  "The body, an operand or a result is larger than a limit of the service, "  \
  "or than any of its devices can hold.",                                     \
  "The member detail has both sizes. Send less at once, use float32, ask "    \
  "for fewer outputs with the parameter return, or start the service with "   \
  "larger limits: --max-body, --host-memory, --device-memory.")               \
X(ERR_TARGET,                                                                 \
  "The request line, which holds the path and the query, is longer than 32 "  \
  "KiB.",                                                                     \
  "Send the parameters in the body: JSON and forms accept all of them.")      \
X(ERR_MEDIA,                                                                  \
  "This path does not accept the Content-Type of the body, or its "           \
  "Content-Encoding is neither gzip nor zstd. By default, curl -d sends "     \
  "application/x-www-form-urlencoded.",                                       \
  "For JSON use curl --json or -H 'Content-Type: application/json'; for "     \
  "files application/x-npy, application/x-npz, application/octet-stream or "  \
  "application/x-matrix-market; for a form curl -F.")                         \
X(ERR_RANGE,                                                                  \
  "The header Range asks for bytes that the matrix does not have.",           \
  "HEAD tells the number of bytes in Content-Length. The parameter rows "     \
  "fetches rows in every format.")                                            \
X(ERR_HOST,                                                                   \
  "The header Host names a host that is not this service. A web page could "  \
  "make its own name point to this machine (DNS rebinding), so a service "    \
  "that listens on loopback accepts only the names that it knows.",           \
  "Use localhost or 127.0.0.1, or start the service with --allow-host and "   \
  "the name that clients use.")                                               \
X(ERR_SHAPE,                                                                  \
  "The operands were read, but their shapes do not suit the operation or "    \
  "each other: a matrix that must be square is not, or inner dimensions "     \
  "differ.",                                                                  \
  "The member detail has the shapes. A flat list is a vector; a matrix "      \
  "with one row is [[1,2,3]].")                                               \
X(ERR_NONFINITE,                                                              \
  "An operand contains NaN or infinity although the operation is defined "    \
  "only for finite numbers, or the result would not be finite.",              \
  "Remove these elements, or use an operation that accepts them (matmul, "    \
  "lu, reduce, transpose).")                                                  \
X(ERR_SINGULAR,                                                               \
  "The matrix is exactly singular: the system has no unique solution.",       \
  "Check the matrix. The operation lu returns its factors, in which a zero "  \
  "pivot shows the dependent row.")                                           \
X(ERR_NOT_POSITIVE,                                                           \
  "The matrix is not positive definite, so it has no Cholesky factorization: "\
  "a leading minor is zero or negative, or rounding made it so.",             \
  "The member detail names the order of the first such minor. Check that the "\
  "matrix is symmetric and what it should be. The operations lu and solve "   \
  "accept any square matrix.")                                                \
X(ERR_ZERO_PIVOT,                                                             \
  "Elimination without row interchanges met a pivot that is zero, so the "    \
  "matrix with its rows in this order has no LU factorization. It need not "  \
  "be singular.",                                                             \
  "Allow row interchanges: omit pivot=none.")                                 \
X(ERR_CONVERGENCE,                                                            \
  "The iteration did not reach tol within max_iterations, or, in eigen, "     \
  "the matrix is so ill-conditioned that no result is certain.",              \
  "Raise max_iterations or tol, choose another method, or set "               \
  "allow_partial, where the operation has it, to get the last "               \
  "approximation.")                                                           \
X(ERR_MATHEMATICS,                                                            \
  "The result does not exist mathematically. Examples are the maximum of "    \
  "no elements, and a permutation that contains an index twice.",             \
  "The member detail names the operand or element at fault.")                 \
X(ERR_KEY_REUSED,                                                             \
  "The Idempotency-Key was used before, with another request body.",          \
  "Use a new key for a new request. A key may be repeated only with the "     \
  "same request.")                                                            \
X(ERR_QUOTA,                                                                  \
  "The tenant whose token the request has uses all that its quota allows: "   \
  "jobs that wait, bytes of stored matrices or of jobs in flight, or the "    \
  "day's device-seconds. The member detail names the quota, its limit and "   \
  "what is in use. Other tenants are not concerned.",                         \
  "Wait as long as the header Retry-After says, or delete stored matrices "   \
  "and results that are not needed. GET /tenant tells quotas and use.")       \
X(ERR_HEAD,                                                                   \
  "The head of the request is longer than 32 KiB, or has more than 256 "      \
  "headers, cookies and query arguments.",                                    \
  "Send fewer and shorter headers.")                                          \
X(ERR_INTERNAL,                                                               \
  "The service failed because of an error in linalgd.",                       \
  "Please report it, with the member detail, the request and the service's "  \
  "log.")                                                                     \
X(ERR_DEVICE,                                                                 \
  "The device or its driver failed while the job ran, and the job could "     \
  "not be repeated on another device. The service restarts the worker "       \
  "process by itself.",                                                       \
  "Send the request again. If it fails again, choose another device or "      \
  "variant, and look for the driver's message in the service's log.")         \
X(ERR_CODING,                                                                 \
  "The Transfer-Encoding is not supported; only chunked is.",                 \
  "Send the body with Content-Length, or chunked.")                           \
X(ERR_MEMORY,                                                                 \
  "The memory for operands and results is in use by other requests, stored "  \
  "matrices and results that were not fetched yet.",                          \
  "Send the request again when Retry-After says. DELETE stored matrices "     \
  "and finished jobs that nobody needs, or start the service with a larger "  \
  "--host-memory.")                                                           \
X(ERR_BUSY,                                                                   \
  "The queue is full: as many jobs wait as --queue-limit allows.",            \
  "Send the request again when Retry-After says, or start the service with "  \
  "a larger --queue-limit.")                                                  \
X(ERR_STREAMS,                                                                \
  "As many clients follow jobs by GET /jobs/{id}/events as may.",             \
  "Send the request again when Retry-After says, or ask for the job by "      \
  "GET /jobs/{id} with 'Prefer: wait=10', which has no such limit.")          \
X(ERR_NOT_READY,                                                              \
  "No device is ready yet, or the service is shutting down.",                 \
  "GET /readyz returns 200 as soon as a device is ready. The header "         \
  "Retry-After says when to try again.")                                      \
X(ERR_STATE,                                                                  \
  "The service could not write to or read from the disk that keeps its "      \
  "state (--state), so it could not promise that what the request asked for " \
  "survives a restart. The request may or may not have taken effect.",        \
  "Whoever runs the service finds the file and the system's reason in the "   \
  "service's log: the disk may be full or broken. When that is mended, the "  \
  "service goes on by itself: send the request again, under the same "        \
  "Idempotency-Key if it had one.")                                           \
X(ERR_TIMEOUT,                                                                \
  "The job did not finish within timeout_ms of its acceptance.",              \
  "Set a larger timeout_ms or a more urgent priority, or send the request "   \
  "with 'Prefer: respond-async' and fetch the result later.")                 \
X(ERR_DISMISSED,                                                              \
  "The job was dismissed, by DELETE or because the service stopped, and "     \
  "has no result.",                                                           \
  "Send the request again if its result is still wanted.")

#endif
