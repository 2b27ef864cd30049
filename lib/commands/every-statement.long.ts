import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { commandKinds } from '#lib/kind-names.ts'
import { FailingStore, type Failure } from '#lib/testing/failing-store.ts'
import { type World, worldOfChanges } from '#lib/testing/kinds-of-change.ts'
import { failOneByOne } from '#lib/testing/lost-statement.ts'

const FAILURES: readonly Failure[] = ['before', 'after', 'out']

let world: World
let installed: Awaited<ReturnType<typeof FailingStore.install>>

beforeEach(async () => {
  world = await worldOfChanges()
  installed = await FailingStore.install()
})
afterEach(() => installed.remove())

/** All that are drafted and sent. What is only put on record is one statement of one transaction. */
const KINDS = commandKinds.filter((kind) => !/^(statement|access)\./.test(kind))

describe('whichever statement fails, in whichever way: a command has ended, or is unknown and stands under open changes', () => {
  test.each(KINDS)('%s', { timeout: 900_000 }, async (name) => {
    expect(await failOneByOne(installed.failing, world, name, () => FAILURES)).toBeGreaterThan(5)
  })
})
