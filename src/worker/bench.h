/* bench.h - `linalgd bench`: our kernels and a peer's, in turns. */
#ifndef WORKER_BENCH_H
#define WORKER_BENCH_H

/* The subcommand, argv[0] being "bench"; its exit status. */
int bench_main(int argc, char **argv);

#endif
