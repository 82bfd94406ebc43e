/* command.h - the subcommands that main.c's table names. argv[0] is the
 * subcommand's own name; each returns the process's exit status. */
#ifndef COMMAND_COMMAND_H
#define COMMAND_COMMAND_H

int command_serve(int argc, char **argv);

/* The sheets that GET /devices, /ops and /kernels answer with. */
int command_devices(int argc, char **argv);
int command_ops(int argc, char **argv);
int command_kernels(int argc, char **argv);

/* Becomes linalgd-bench, a program of its own beside this one. */
int command_bench(int argc, char **argv);
int command_tune(int argc, char **argv);
int command_check(int argc, char **argv);

#endif
