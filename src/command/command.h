/* command.h - the subcommands that main.c's table names. argv[0] is the
 * subcommand's own name; each returns the process's exit status. */
#ifndef COMMAND_COMMAND_H
#define COMMAND_COMMAND_H

int command_serve(int argc, char **argv);

/* Print what GET /devices, /ops and /kernels reply. */
int command_devices(int argc, char **argv);
int command_ops(int argc, char **argv);
int command_kernels(int argc, char **argv);

/* Executes linalgd-bench, from the directory of this program. */
int command_bench(int argc, char **argv);
int command_tune(int argc, char **argv);
int command_check(int argc, char **argv);

#endif
