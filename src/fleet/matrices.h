/* matrices.h - the matrices that are stored in a fleet's database, under names
 * that every host finds, and the saved pipelines.
 *
 *     matrices_seek() ──▶ S_MATRIX_FIND: versions ──▶ this host's copy, or
 *                                  matrices_fetch() ──▶ the chunks, once
 *
 * A version is written once and never changes. This host keeps copies of those
 * that it has used, as long as there is memory (cache.h). Each use asks the
 * database first which version the name has, by one short statement: so no copy
 * is used after another host has replaced or removed the matrix.
 *
 * What depot.h and fleet.h say of threads and callbacks holds here.
 */
#ifndef FLEET_MATRICES_H
#define FLEET_MATRICES_H

#include "fleet/fleet.h"
#include "matrix/store.h"
#include "queue/keep.h"

/* The functions of the fleet's depot for stored matrices; struct depot_calls in
 * queue/depot.h describes each. */
depot_seek_fn matrices_seek;
depot_matrices_fn matrices_list;
depot_put_fn matrices_put;
depot_discard_fn matrices_discard;

/* Evicts copies that nothing uses, the one that was used least recently first,
 * until so many bytes of memory are free, or none is left. */
void matrices_make_room(struct fleet *f, uint64_t bytes);

/* The functions of the fleet's depot for saved pipelines. */
depot_read_fn pipelines_read;
depot_save_fn pipelines_save;

#endif
