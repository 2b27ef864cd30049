import { seed } from '#sandbox/seed/seed.ts'
import { createSettings, createTables, dropTables, SCHEMA_VERSION } from './schema.ts'
import { readSetting, writeSetting } from './setting.ts'
import type { World } from './world.ts'

/** Back to the seeded world: tables are dropped and made anew, since their rows cannot be deleted. */
export async function resetWorld(world: World): Promise<void> {
  world.clock.startAt(0n)
  await world.db.transaction().execute(async (trx) => {
    await createSettings(trx)
    await dropTables(trx)
    await createTables(trx)
    await seed(trx, world.clock.now())
    await writeSetting(trx, 'schema_version', SCHEMA_VERSION)
    await writeSetting(trx, 'clock_offset_ticks', '0')
  })
}

/** Takes up the store where it was left; seeds it when it is new or was made by another version. */
export async function resumeWorld(world: World): Promise<void> {
  await world.db.transaction().execute(createSettings)
  const version = await readSetting(world.db, 'schema_version')
  if (version !== SCHEMA_VERSION) {
    await resetWorld(world)
    return
  }
  const offset = await readSetting(world.db, 'clock_offset_ticks')
  world.clock.startAt(BigInt(offset ?? '0'))
}
