#ifndef CPREFETCH_H
#define CPREFETCH_H

#include <stdint.h>

/// Asks for the line of memory that an address lies in to be brought into the cache, and waits for nothing. Swift has no
/// word for this. The address may be any, null included: one that nothing is mapped at is passed over.
static inline void zonequery_prefetch(const void *_Nullable address) { __builtin_prefetch(address, 0, 3); }

/// Takes what was read for the sake of the cache alone, so that the reading is not left out as one of no use. Nothing is
/// done with it.
static inline void zonequery_keep(uint64_t value) { __asm__ volatile("" : : "r"(value)); }

#endif
