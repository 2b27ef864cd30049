import 'server-only'
import { sql } from 'kysely'

/** Seconds since 1970. All processes share the database's clock. */
export const databaseNow = sql<number>`extract(epoch FROM clock_timestamp())::double precision`
