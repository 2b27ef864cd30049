import 'server-only'
import type { Kysely } from 'kysely'
import { config } from '#lib/config/config.ts'
import { type Opened, open } from '#lib/database/open.ts'
import { migrate } from './migrate.ts'
import type { Tables } from './tables.ts'

const shared = globalThis as typeof globalThis & { consoleStore?: Promise<Opened<Tables>> | undefined }

async function openStore(): Promise<Opened<Tables>> {
  const opened = await open<Tables>(config().databaseUrl)
  try {
    await migrate(opened.db)
    return opened
  } catch (cause) {
    await opened.close()
    throw cause
  }
}

/** The console's own database: one per process, opened and migrated at its first use. */
export async function store(): Promise<Kysely<Tables>> {
  if (shared.consoleStore === undefined) {
    const opening = openStore()
    shared.consoleStore = opening
    // A failed opening must not be remembered, or the console never recovers from a database that was late.
    opening.catch(() => {
      if (shared.consoleStore === opening) shared.consoleStore = undefined
    })
  }
  return (await shared.consoleStore).db
}

/** Closes the store for good, at the end of the process. */
export async function closeStore(): Promise<void> {
  await (await shared.consoleStore)?.close()
}
