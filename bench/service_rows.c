/* service_rows.c - the table of requests that `linalgd bench --suite service`
 * measures. Operands are square matrices of float32. */
#include "bench/service.h"

const struct service_row service_rows[] = {
	{ "matmul", OCTETS, 64, MEASURE_LOAD, 1, 3, 0 },
	{ "matmul", OCTETS, 64, MEASURE_LOAD, 16, 3, 0 },
	{ "matmul", OCTETS, 64, MEASURE_LOAD, 64, 3, 0 },
	{ "matmul", JSON, 4, MEASURE_LOAD, 64, 3, 0 },
	{ "matmul", JSON, 64, MEASURE_LOAD, 1, 2, 0 },
	{ "matmul", JSON, 64, MEASURE_LOAD, 16, 2, 0 },
	{ "matmul", NPY, 64, MEASURE_LOAD, 16, 2, 0 },
	{ "matmul", JSON, 1024, MEASURE_TRIP, 0, 2, 0 },
	{ "lu", JSON, 1024, MEASURE_TRIP, 0, 2, 0 },
	{ "matmul", OCTETS, 1024, MEASURE_TRIP, 0, 2, 0 },
	{ "matmul", NPY, 1024, MEASURE_TRIP, 0, 2, 0 },
	{ "lu", NPY, 1024, MEASURE_TRIP, 0, 2, 0 },
	{ "eigen", NPY, 1024, MEASURE_TRIP, 0, 2, 0 },
	{ "matmul", NPY, 4096, MEASURE_TRIP, 0, 2, 5 },
	{ "matmul", JSON, 1024, MEASURE_MEMORY, 0, 2, 1 },
	{ 0 }
};

const struct service_row service_gpu_rows[] = {
	{ "matmul", OCTETS, 64, MEASURE_LOAD, 1, 2, 0 },
	{ "matmul", OCTETS, 64, MEASURE_LOAD, 16, 2, 0 },
	{ "matmul", OCTETS, 64, MEASURE_LOAD, 64, 2, 0 },
	{ "matmul", OCTETS, 1024, MEASURE_TRIP, 0, 2, 0 },
	{ "lu", OCTETS, 1024, MEASURE_TRIP, 0, 2, 0 },
	{ "eigen", OCTETS, 1024, MEASURE_TRIP, 0, 2, 0 },
	{ "matmul", OCTETS, 8192, MEASURE_TRIP, 0, 2, 3 },
	{ "lu", OCTETS, 8192, MEASURE_TRIP, 0, 2, 3 },
	{ "eigen", OCTETS, 8192, MEASURE_TRIP, 0, 2, 3 },
	{ 0 }
};
