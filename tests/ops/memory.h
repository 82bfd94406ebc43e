/* memory.h - lets the test's device appear to have less memory. */
#ifndef TESTS_OPS_MEMORY_H
#define TESTS_OPS_MEMORY_H

#include "tests/ops/op.h"

/* A checked fixture: remembers what the device has, and gives it back. */
void memory_remember(void);
void memory_allow_all(void);

/* Gives the device that much memory for calls. */
void memory_allow(size_t bytes);

/* The least memory that the call by its variant takes on any device. */
size_t memory_least(const struct args *a);

#endif
