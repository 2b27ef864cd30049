import 'server-only'
import { sql } from 'kysely'

/** Seconds since 1970 by the database's clock: the one that all processes share. */
export const databaseNow = sql<number>`extract(epoch FROM clock_timestamp())::double precision`
