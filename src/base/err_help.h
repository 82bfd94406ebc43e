/* err_help.h - the text of GET /problems/{name} for each kind of error: what it
 * means, when it occurs, and what to do about it. err.c does not compile unless
 * every row of ERR_CODES has a row here. */
#ifndef BASE_ERR_HELP_H
#define BASE_ERR_HELP_H

/* code, meaning, remedy */
#define ERR_HELP(X)                                                           \
X(ERR_NONE,                                                                   \
  "Nothing went wrong.",                                                      \
  "Nothing is to be done.")                                                   \
X(ERR_REQUEST,                                                                \
  "The request cannot be understood: the body is no JSON, npz or form, a "    \
  "header contradicts another, an operand is missing, given twice, or has a " \
  "name that the operation does not know.",                                   \
  "Read detail, which names the place. GET /ops lists the operands of every " \
  "operation, GET /openapi.yaml describes every request.")                    \
X(ERR_PARAMETER,                                                              \
  "A parameter is unknown to this path, is given twice, or has a value that " \
  "is not allowed. Unknown parameters are never ignored.",                    \
  "Compare its name and value with GET /ops, which lists type, default and "  \
  "range; for variant with GET /kernels, for device with GET /devices.")      \
X(ERR_FORMAT,                                                                 \
  "An operand's bytes are not a matrix in the format that Content-Type "      \
  "names: ragged rows, a length that does not match the shape, a truncated "  \
  "or pickled npy file, an unknown generator.",                               \
  "Read detail, which names the row, the byte or the two lengths. Check that "\
  "Content-Type is that of the file that was sent.")                          \
X(ERR_TOKEN,                                                                  \
  "This service asks for a token, and the request had none or one that is "   \
  "not in the token file.",                                                   \
  "Send the header 'Authorization: Bearer TOKEN', with curl: -H "             \
  "\"Authorization: Bearer $TOKEN\". Whoever runs the service keeps the "     \
  "tokens in the file of its option --token-file.")                           \
X(ERR_ORIGIN,                                                                 \
  "A web browser sent the request for a page of another origin, which might " \
  "do so without its user's knowledge.",                                      \
  "If that page may use this service, start it with --allow-origin and the "  \
  "page's origin, as in --allow-origin https://app.example.")                 \
X(ERR_NOT_FOUND,                                                              \
  "There is nothing at this path, or no job or stored matrix of that name. "  \
  "Records of jobs are kept for the last 1000 jobs.",                         \
  "GET /ops lists the operations, GET /jobs the jobs, GET /matrices the "     \
  "stored matrices, GET /openapi.yaml all paths.")                            \
X(ERR_METHOD,                                                                 \
  "The path exists, but not for this method. Operations are called by POST.", \
  "Use one of the methods that the header Allow lists.")                      \
X(ERR_ACCEPT,                                                                 \
  "The answer cannot be given in any media type that the header Accept "      \
  "allows, or not this one: a sparse matrix has no npy.",                     \
  "Ask for application/json, application/x-npy, application/octet-stream, "   \
  "application/x-npz or application/x-matrix-market, or leave Accept out.")   \
X(ERR_SLOW,                                                                   \
  "The request's head or body came too slowly: all of a body must arrive "    \
  "within a fixed time, so the least rate grows with its length.",            \
  "Send it over a faster connection, send less at once, or have the time "    \
  "raised: --transfer-seconds.")                                              \
X(ERR_CONFLICT,                                                               \
  "The request does not fit the present state: the result of a job that is "  \
  "still waiting or running, or a repeated Idempotency-Key whose first "      \
  "request is still running.",                                                \
  "Ask GET /jobs/{id} until its status is successful, then fetch the result; "\
  "Retry-After says when to ask again.")                                      \
X(ERR_GONE,                                                                   \
  "The result existed, but is not kept any more: its time to live is over, "  \
  "or the job was synchronous and its result was its answer.",                \
  "Run the job again. Results of asynchronous jobs are kept for the time of " \
  "the service's option --result-ttl, 600 s unless it says otherwise.")       \
X(ERR_LENGTH,                                                                 \
  "A binary body came without Content-Length, so that its memory could not "  \
  "be reserved.",                                                             \
  "Send Content-Length. curl does so for files (-T FILE, --data-binary "      \
  "@FILE), but not for a pipe. JSON and Matrix Market may come in chunks.")   \
X(ERR_TOO_LARGE,                                                              \
  "The body, an operand or a result is larger than the limit, or than any "   \
  "device could ever hold.",                                                  \
  "detail has both numbers. Send less at once, use float32, ask for fewer "   \
  "outputs by return, or have the limits raised: --max-body, --host-memory, " \
  "--device-memory.")                                                         \
X(ERR_TARGET,                                                                 \
  "The request line is longer than 32 KiB.",                                  \
  "Send parameters in the body: JSON and forms take all of them.")            \
X(ERR_MEDIA,                                                                  \
  "The body's Content-Type is none that this path reads. curl -d sends "      \
  "application/x-www-form-urlencoded unless told otherwise.",                 \
  "For JSON use curl --json, or -H 'Content-Type: application/json'; for "    \
  "files application/x-npy, application/x-npz, application/octet-stream, "    \
  "application/x-matrix-market, or curl -F for a form.")                      \
X(ERR_HOST,                                                                   \
  "The header Host has a name that is not the service's. A web page could "   \
  "point its own name to this machine (DNS rebinding), so that a service "    \
  "on loopback answers to its known names only.",                             \
  "Use localhost or 127.0.0.1, or start the service with --allow-host and "   \
  "the name by which it is called.")                                          \
X(ERR_SHAPE,                                                                  \
  "The operands were read, but their shapes do not suit the operation or "    \
  "each other: a matrix that must be square is not, inner sizes differ.",     \
  "detail has the shapes. A flat list is a vector; a matrix of one row is "   \
  "[[1,2,3]].")                                                               \
X(ERR_NONFINITE,                                                              \
  "An operand holds NaN or infinity where the operation is defined for "      \
  "finite numbers only, or the result would not be finite.",                  \
  "Remove these elements, or use an operation that carries them through "     \
  "(matmul, lu, reduce, transpose).")                                         \
X(ERR_SINGULAR,                                                               \
  "The matrix is exactly singular: the system has no unique solution.",       \
  "Check the matrix: lu answers its factors, whose zero pivot shows the "     \
  "dependent row.")                                                           \
X(ERR_NOT_POSITIVE,                                                           \
  "The matrix is not positive definite, so that it has no Cholesky factor: "  \
  "a leading minor is zero or negative, or rounding made it so.",             \
  "detail names the order of the first such minor. Check that the matrix is " \
  "symmetric and what it should be; lu and solve take any square matrix.")    \
X(ERR_ZERO_PIVOT,                                                             \
  "Without row interchanges the elimination met a pivot that is zero, and "   \
  "the matrix has no factors L and U in that order; it need not be "          \
  "singular.",                                                                \
  "Let rows be interchanged: leave pivot=none out.")                          \
X(ERR_CONVERGENCE,                                                            \
  "The iteration did not reach tol within max_iterations, or (eigen) the "    \
  "matrix is so ill-conditioned that no answer is certain.",                  \
  "Raise max_iterations or tol, choose another method, or take what there "   \
  "is where the operation has allow_partial.")                                \
X(ERR_MATHEMATICS,                                                            \
  "What is asked for does not exist: the maximum of nothing, a permutation "  \
  "that names an index twice.",                                               \
  "detail says which element is in the way.")                                 \
X(ERR_KEY_REUSED,                                                             \
  "The Idempotency-Key was used before with another body.",                   \
  "Use a new key for a new request; a key repeats exactly the same one.")     \
X(ERR_HEAD,                                                                   \
  "The request's head is longer than 32 KiB, or has more than 256 headers, "  \
  "cookies and arguments.",                                                   \
  "Send fewer and shorter headers.")                                          \
X(ERR_INTERNAL,                                                               \
  "linalgd made a mistake.",                                                  \
  "Please report it with detail, the request and the service's log.")         \
X(ERR_DEVICE,                                                                 \
  "The device or its driver failed while the job ran, and the job could not " \
  "be repeated elsewhere. The worker process is started again by itself.",    \
  "Send the request again. If it fails again, choose another device or "      \
  "variant, and look at the service's log for the driver's words.")           \
X(ERR_CODING,                                                                 \
  "The Transfer-Encoding is none that is known; only chunked is.",            \
  "Send the body with Content-Length, or chunked.")                           \
X(ERR_MEMORY,                                                                 \
  "The memory for operands and results is full of other requests, stored "    \
  "matrices and results that wait to be fetched.",                            \
  "Send the request again after Retry-After. DELETE stored matrices and "     \
  "finished jobs that nobody needs, or have --host-memory raised.")           \
X(ERR_BUSY,                                                                   \
  "As many jobs as allowed wait already.",                                    \
  "Send the request again after Retry-After; --queue-limit sets the number.") \
X(ERR_NOT_READY,                                                              \
  "No device is ready yet, or the service is shutting down.",                 \
  "GET /readyz answers 200 as soon as one is; Retry-After says when to ask "  \
  "again.")                                                                   \
X(ERR_TIMEOUT,                                                                \
  "The job was not finished within timeout_ms of its acceptance.",            \
  "Give it more time, a more urgent priority, or send it with 'Prefer: "      \
  "respond-async' and fetch the result later.")                               \
X(ERR_DISMISSED,                                                              \
  "The job was dismissed, by DELETE or because the service ended, and has "   \
  "no result.",                                                               \
  "Send the request again if its result is still wanted.")

#endif
