import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { isDatabaseError } from '#lib/database/database-error.ts'
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
  /** Transaction id of the last reset; null if an older transaction may have been written after it. */
  readonly xid: bigint | null
  readonly copied: boolean
}

/** Below the engine's 1 s, after which it would end a request's transaction in place of the reset. */
const LOCK_WAIT_MS = 100
const TRIES_MAX = 100
const PAUSE_MAX_MS = 20
const LOCK_NOT_AVAILABLE = '55P03'

const seedings = new WeakMap<World, Seeding>()

export async function resetWorld(world: World): Promise<void> {
  const last = seedings.get(world)
  const fresh = last !== undefined && world.wallMilliseconds() - last.at < FRESH_MS
  if (fresh && (await isUnwrittenSince(world, last.xid))) return
  seedings.set(world, fresh && last.copied ? await restore(world, last) : await seedAnew(world))
}

const restore = (world: World, last: Seeding): Promise<Seeding> =>
  replaceRows(world, async (trx) => {
    await restoreTables(trx)
    return { ...last, xid: await lastXid(trx) }
  })

const seedAnew = (world: World): Promise<Seeding> =>
  startOver(world, emptyTables, async (trx) => {
    const copied = await mayRestore(trx)
    if (copied) await copyTables(trx)
    return { at: world.wallMilliseconds(), copied, xid: await lastXid(trx) }
  })

/** Gives way to transactions of requests, which lock the tables in other orders, and tries again. */
async function replaceRows<Result>(world: World, replace: (trx: Trx) => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    world.clock.startAt(0n)
    try {
      const result = await world.db.transaction().execute(async (trx) => {
        await sql.raw(`SET LOCAL lock_timeout = ${LOCK_WAIT_MS}`).execute(trx)
        const replaced = await replace(trx)
        await writeSetting(trx, 'clock_offset_ticks', '0')
        return replaced
      })
      world.tokenUsers.forgetAll()
      return result
    } catch (error) {
      if (tries === TRIES_MAX || !isDatabaseError(error) || error.code !== LOCK_NOT_AVAILABLE) throw error
    }
    await wait(Math.random() * PAUSE_MAX_MS)
  }
}

async function lastXid(trx: Trx): Promise<bigint | null> {
  const { rows } = await sql<{ own: string; oldest: string }>`
    SELECT pg_current_xact_id()::text AS own, pg_snapshot_xmin(pg_current_snapshot())::text AS oldest`.execute(trx)
  const [row] = rows
  return row !== undefined && row.own === row.oldest ? BigInt(row.own) : null
}

async function isUnwrittenSince({ db }: World, xid: Seeding['xid']): Promise<boolean> {
  if (xid === null) return false
  const { rows } = await sql<{ next: string }>`
    SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS next`.execute(db)
  return rows[0]?.next === String(xid + 1n)
}

export async function resumeWorld(world: World): Promise<void> {
  await world.db.transaction().execute(createSettings)
  const version = await readSetting(world.db, 'schema_version')
  const seeded = await readSetting(world.db, 'seed')
  if (version !== SCHEMA_VERSION || seeded !== world.seed) {
    await startOver(world, makeTables, async () => {})
    return
  }
  world.clock.startAt(BigInt((await readSetting(world.db, 'clock_offset_ticks')) ?? '0'))
}

async function makeTables(trx: Trx): Promise<void> {
  await dropTables(trx)
  await createTables(trx)
  await writeSetting(trx, 'schema_version', SCHEMA_VERSION)
}

async function startOver<Result>(
  world: World,
  prepareTables: (trx: Trx) => Promise<void>,
  afterwards: (trx: Trx) => Promise<Result>,
): Promise<Result> {
  // The copies are of another seeding from here on.
  seedings.delete(world)
  return await replaceRows(world, async (trx) => {
    await prepareTables(trx)
    await seed(trx, world.seed, world.clock.now())
    await writeSetting(trx, 'seed', world.seed)
    return await afterwards(trx)
  })
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
