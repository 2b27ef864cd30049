import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { FailingStore, type Failure } from '#lib/testing/failing-store.ts'
import { draftedKinds, type World, worldOfChanges } from '#lib/testing/kinds-of-change.ts'
import { failOneByOne } from '#lib/testing/lost-statement.ts'

const FAILURES: readonly Failure[] = ['before', 'after', 'out']

let world: World
let installed: Awaited<ReturnType<typeof FailingStore.install>>

beforeEach(async () => {
  world = await worldOfChanges()
  installed = await FailingStore.install()
})
afterEach(() => installed.remove())

describe('whichever statement fails, in whichever way: a command has ended, or is unknown and stands under open changes', () => {
  test.each(draftedKinds)('%s', { timeout: 900_000 }, async (name) => {
    expect(await failOneByOne(installed.failing, world, name, () => FAILURES)).toBeGreaterThan(5)
  })
})
