import { sql } from 'kysely'
import { seed } from '#sandbox/seed/seed.ts'
import { appendOnly, createSettings, createTables, dropTables, emptyTables, SCHEMA_VERSION, tables } from './schema.ts'
import { readSetting, writeSetting } from './setting.ts'
import type { Trx } from './tables.ts'
import type { World } from './world.ts'

/** An older world may have changed with the clock. A younger one without writes needs no reset. */
const FRESH_MS = 60_000

interface Seeding {
  /** Milliseconds since 1970, by the machine's clock. */
  readonly at: number
  /** Position in the write-ahead log after the last seeding. */
  readonly position: string
  readonly copied: boolean
}

const seedings = new WeakMap<World, Seeding>()

export async function resetWorld(world: World): Promise<void> {
  const last = seedings.get(world)
  const fresh = last !== undefined && world.wallMilliseconds() - last.at < FRESH_MS
  if (fresh && last.position === (await logPosition(world))) return
  const { at, copied } = fresh && last.copied ? await restore(world, last) : await seedAnew(world)
  seedings.set(world, { at, copied, position: await logPosition(world) })
}

async function restore(world: World, last: Seeding): Promise<Seeding> {
  world.clock.startAt(0n)
  await world.db.transaction().execute(async (trx) => {
    await restoreTables(trx)
    await writeSetting(trx, 'clock_offset_ticks', '0')
  })
  world.tokenUsers.forgetAll()
  return last
}

async function seedAnew(world: World): Promise<Omit<Seeding, 'position'>> {
  let copied = false
  await startOver(world, emptyTables, async (trx) => {
    copied = await mayRestore(trx)
    if (copied) await copyTables(trx)
  })
  return { at: world.wallMilliseconds(), copied }
}

async function logPosition({ db }: World): Promise<string> {
  const { rows } = await sql<{ position: string }>`SELECT pg_current_wal_insert_lsn()::text AS position`.execute(db)
  return rows[0]?.position ?? ''
}

/** Creates and seeds the store when it is new or has another version or seed. */
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

async function startOver(
  world: World,
  prepareTables: (trx: Trx) => Promise<void>,
  afterwards: (trx: Trx) => Promise<void> = async () => {},
): Promise<void> {
  // The copies are of another seeding from here on.
  seedings.delete(world)
  world.clock.startAt(0n)
  await world.db.transaction().execute(async (trx) => {
    await prepareTables(trx)
    await seed(trx, world.seed, world.clock.now())
    await writeSetting(trx, 'seed', world.seed)
    await writeSetting(trx, 'clock_offset_ticks', '0')
    await afterwards(trx)
  })
  world.tokenUsers.forgetAll()
}

/** Only a superuser can restore rows without triggers and foreign keys. */
async function mayRestore(trx: Trx): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`
    SELECT rolsuper AS may FROM pg_roles WHERE rolname = current_user`.execute(trx)
  return rows[0]?.may ?? false
}

async function copyTables(trx: Trx): Promise<void> {
  const copies = tables.map((table) => `CREATE UNLOGGED TABLE seeded.${table} AS TABLE ${table};`)
  await runAll(trx, [`DROP SCHEMA IF EXISTS seeded CASCADE; CREATE SCHEMA seeded;`, ...copies])
}

/** Append-only tables, the largest, only lose later rows. */
async function restoreTables(trx: Trx): Promise<void> {
  const restored = tables.map((table) => {
    const key = appendOnly.get(table)
    return key === undefined
      ? `DELETE FROM ${table}; INSERT INTO ${table} OVERRIDING SYSTEM VALUE SELECT * FROM seeded.${table};`
      : `DELETE FROM ${table} WHERE (${key}) NOT IN (SELECT ${key} FROM seeded.${table});`
  })
  await runAll(trx, [
    // In the order of a new seeding, to avoid deadlocks.
    `LOCK TABLE ${[...appendOnly.keys()].join(', ')} IN SHARE ROW EXCLUSIVE MODE; LOCK TABLE ${tables.join(', ')};`,
    'SET LOCAL session_replication_role = replica;',
    ...restored,
    'SET LOCAL session_replication_role = origin;',
  ])
}

const runAll = (trx: Trx, statements: readonly string[]) =>
  sql.raw(`DO $$ BEGIN ${statements.join(' ')} END $$`).execute(trx)
