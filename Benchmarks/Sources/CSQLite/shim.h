#ifndef ZONEQUERY_BENCHMARKS_CSQLITE_H
#define ZONEQUERY_BENCHMARKS_CSQLITE_H

#include <sqlite3.h>

/* Swift does not import variadic functions. */
static inline int csqlite_disable_memory_statistics(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

/* The tokenizers of FTS5 by themselves, without a table. */
static inline fts5_api *csqlite_fts5(sqlite3 *database) {
  fts5_api *api = 0;
  sqlite3_stmt *statement = 0;
  if (sqlite3_prepare_v2(database, "SELECT fts5(?1)", -1, &statement, 0) == SQLITE_OK) {
    sqlite3_bind_pointer(statement, 1, (void *)&api, "fts5_api_ptr", 0);
    sqlite3_step(statement);
  }
  sqlite3_finalize(statement);
  return api;
}

#endif
