import { sql } from 'kysely'
import { seed } from '#sandbox/seed/seed.ts'
import { createSettings, createTables, dropTables, emptyTables, SCHEMA_VERSION } from './schema.ts'
import { readSetting, writeSetting } from './setting.ts'
import type { Trx } from './tables.ts'
import type { World } from './world.ts'

/** A world this old may have moved with the clock; a younger one that nobody has written to is as good as new. */
const FRESH_MS = 60_000

/** When each world was last seeded, and where the store's log of writes stood right after it. */
const seeded = new WeakMap<World, { readonly at: number; readonly position: string }>()

/** Back to the seeded world. */
export async function resetWorld(world: World): Promise<void> {
  const last = seeded.get(world)
  const fresh = last !== undefined && world.wallMilliseconds() - last.at < FRESH_MS
  if (fresh && last.position === (await logPosition(world))) return
  await startOver(world, emptyTables)
  seeded.set(world, { at: world.wallMilliseconds(), position: await logPosition(world) })
}

async function logPosition({ db }: World): Promise<string> {
  const { rows } = await sql<{ position: string }>`SELECT pg_current_wal_insert_lsn()::text AS position`.execute(db)
  return rows[0]?.position ?? ''
}

/** Takes up the store where it was left; makes and seeds it when it is new, or was made by another version or seed. */
export async function resumeWorld(world: World): Promise<void> {
  await world.db.transaction().execute(createSettings)
  const version = await readSetting(world.db, 'schema_version')
  const seeded = await readSetting(world.db, 'seed')
  if (version !== SCHEMA_VERSION || seeded !== world.seed) {
    await startOver(world, makeTables)
    return
  }
  const offset = await readSetting(world.db, 'clock_offset_ticks')
  world.clock.startAt(BigInt(offset ?? '0'))
}

async function makeTables(trx: Trx): Promise<void> {
  await dropTables(trx)
  await createTables(trx)
  await writeSetting(trx, 'schema_version', SCHEMA_VERSION)
}

async function startOver(world: World, prepareTables: (trx: Trx) => Promise<void>): Promise<void> {
  world.clock.startAt(0n)
  await world.db.transaction().execute(async (trx) => {
    await prepareTables(trx)
    await seed(trx, world.seed, world.clock.now())
    await writeSetting(trx, 'seed', world.seed)
    await writeSetting(trx, 'clock_offset_ticks', '0')
  })
  world.tokenUsers.forgetAll()
}
