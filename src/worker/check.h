/* check.h - `linalgd check`: the accuracy suite, on one device. */
#ifndef WORKER_CHECK_H
#define WORKER_CHECK_H

/* The subcommand, argv[0] being "check"; its exit status. */
int check_main(int argc, char **argv);

#endif
