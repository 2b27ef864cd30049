import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CommandKindName } from '#lib/kind-names.ts'
import { FailingStore, type Failure } from '#lib/testing/failing-store.ts'
import { draftedKinds, type World, worldOfChanges } from '#lib/testing/kinds-of-change.ts'
import { failOneByOne } from '#lib/testing/lost-statement.ts'

/** One that sends and holds keys for ever, one that leaves a row, and one of the console's own. */
const KINDS: readonly CommandKindName[] = ['deposit.confirm', 'card.issue', 'case.assign']
const FAILURES: readonly Failure[] = ['before', 'after', 'out']

let world: World
let installed: Awaited<ReturnType<typeof FailingStore.install>>

beforeAll(async () => {
  world = await worldOfChanges()
  installed = await FailingStore.install()
})
afterAll(() => installed.remove())

describe('whichever statement fails: a command has ended, or is unknown and stands under open changes', () => {
  test.each(KINDS)('%s', { timeout: 120_000 }, async (name) => {
    const inTurn = (statement: number) => FAILURES.slice(statement % FAILURES.length).slice(0, 1)
    expect(await failOneByOne(installed.failing, world, name, inTurn)).toBeGreaterThan(10)
  })
})

test('the long form knows how to make a change of every kind', () => {
  expect(draftedKinds.filter((kind) => world.kinds[kind] === undefined)).toEqual([])
})
