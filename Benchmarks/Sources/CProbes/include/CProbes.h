#ifndef ZONEQUERY_BENCHMARKS_CPROBES_H
#define ZONEQUERY_BENCHMARKS_CPROBES_H

#include <stdint.h>

/// The time this thread has spent on a processor, in nanoseconds.
uint64_t probe_thread_cpu_ns(void);

/// A clock that only goes forward, in nanoseconds.
uint64_t probe_wall_ns(void);

/// How many blocks of memory this thread has asked the heap for; 0 always where that cannot be counted.
uint64_t probe_allocations(void);

/// Whether `probe_allocations` counts.
int probe_counts_allocations(void);

/// The bytes of the heap in use, blocks mapped one by one included; 0 where the C library does not tell.
uint64_t probe_heap_bytes(void);

/// The bytes of the process that are in memory; 0 where the system does not tell.
uint64_t probe_resident_bytes(void);

/// The most bytes of the process that ever were in memory; 0 where the system does not tell.
uint64_t probe_peak_resident_bytes(void);

/// Gives free pages of the heap back to the system, so that what follows is measured from the same ground.
void probe_trim_heap(void);

/// The version of the C compiler, which comes with the Swift compiler that built this.
const char *probe_compiler(void);

#endif
