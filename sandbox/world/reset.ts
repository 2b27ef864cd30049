import { seed } from '#sandbox/seed/seed.ts'
import { createSettings, createTables, dropTables, emptyTables, SCHEMA_VERSION } from './schema.ts'
import { readSetting, writeSetting } from './setting.ts'
import type { Trx } from './tables.ts'
import type { World } from './world.ts'

/** Back to the seeded world. */
export async function resetWorld(world: World): Promise<void> {
  await startOver(world, emptyTables)
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
}
