import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CommandKindName } from '#lib/domain/command.ts'
import { FailingStore, type Failure } from '#lib/testing/failing-store.ts'
import { type World, worldOfChanges } from '#lib/testing/kinds-of-change.ts'
import { failOneByOne } from '#lib/testing/lost-statement.ts'

const FAILURES: readonly Failure[] = ['before', 'after', 'out']

let world: World
let installed: Awaited<ReturnType<typeof FailingStore.install>>

beforeAll(async () => {
  world = await worldOfChanges()
  installed = await FailingStore.install()
})
afterAll(() => installed.remove())

test('whichever statement of any kind fails, in whichever way, each command comes to an end or is listed as open', {
  timeout: 1_800_000,
}, async () => {
  for (const name of Object.keys(world.kinds) as CommandKindName[]) {
    expect(await failOneByOne(installed.failing, world, name, () => FAILURES), name).toBeGreaterThan(5)
  }
})
