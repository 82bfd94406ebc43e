/* command.h - the subcommands that main.c's table names. argv[0] is the
 * subcommand's own name; each returns the process's exit status. */
#ifndef COMMAND_COMMAND_H
#define COMMAND_COMMAND_H

int command_serve(int argc, char **argv);

/* Prints the settings in force as a configuration file. */
int command_config(int argc, char **argv);

/* Print what GET /devices, /ops and /kernels reply. */
int command_devices(int argc, char **argv);
int command_ops(int argc, char **argv);
int command_kernels(int argc, char **argv);

/* Executes linalgd-call, which prints the devices of a running service; argv[0]
 * is "devices". */
int command_devices_of(char **argv);

/* Execute the programs linalgd-bench and linalgd-call, which are in the same
 * directory as this one. */
int command_bench(int argc, char **argv);
int command_call(int argc, char **argv);
int command_tune(int argc, char **argv);
int command_check(int argc, char **argv);

#endif
