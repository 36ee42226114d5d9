#define _GNU_SOURCE
#include "CProbes.h"

#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static uint64_t read_clock(clockid_t clock) {
  struct timespec now;
  if (clock_gettime(clock, &now) != 0) return 0;
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t probe_thread_cpu_ns(void) { return read_clock(CLOCK_THREAD_CPUTIME_ID); }

uint64_t probe_wall_ns(void) { return read_clock(CLOCK_MONOTONIC); }

const char *probe_compiler(void) { return __VERSION__; }

uint64_t probe_peak_resident_bytes(void) {
  struct rusage usage;
  if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
#if defined(__APPLE__)
  return (uint64_t)usage.ru_maxrss;
#else
  return (uint64_t)usage.ru_maxrss * 1024u;
#endif
}

#if defined(__GLIBC__)

#include <errno.h>
#include <malloc.h>

/* The executable's own malloc comes before the C library's, for every library of the process. It counts and passes on:
   both engines pay the same nanosecond for each block. */
static __thread uint64_t allocations __attribute__((tls_model("initial-exec")));

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

void *malloc(size_t size) {
  allocations++;
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  allocations++;
  return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size) {
  allocations++;
  return __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size) {
  allocations++;
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  allocations++;
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
  if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0) return EINVAL;
  allocations++;
  void *found = __libc_memalign(alignment, size);
  if (!found) return ENOMEM;
  *block = found;
  return 0;
}

uint64_t probe_allocations(void) { return allocations; }

int probe_counts_allocations(void) { return 1; }

uint64_t probe_heap_bytes(void) {
  struct mallinfo2 info = mallinfo2();
  return (uint64_t)info.uordblks + (uint64_t)info.hblkhd;
}

void probe_trim_heap(void) { malloc_trim(0); }

#else

uint64_t probe_allocations(void) { return 0; }

int probe_counts_allocations(void) { return 0; }

uint64_t probe_heap_bytes(void) { return 0; }

void probe_trim_heap(void) {}

#endif

uint64_t probe_resident_bytes(void) {
#if defined(__linux__)
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file) return 0;
  unsigned long long total = 0, resident = 0;
  int found = fscanf(file, "%llu %llu", &total, &resident);
  fclose(file);
  return found == 2 ? (uint64_t)resident * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
#else
  return 0;
#endif
}
