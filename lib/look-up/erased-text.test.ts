import { expect } from 'vitest'
import { ERASED } from '#lib/commands/row.ts'
import { store } from '#lib/store/store.ts'
import { NEW_CARD } from '#lib/testing/card-world.ts'
import { runCommand } from '#lib/testing/command-run.ts'
import { csvOf, importForTest } from '#lib/testing/test-statement.ts'
import { serviceTest as test } from '#lib/testing/test-worlds.ts'
import { lookUp } from './look-up.ts'

test('finds nothing by the mark of an erased text', async ({ operator, admin }) => {
  await runCommand(operator, 'card.issue', NEW_CARD)
  await importForTest(operator, csvOf([{ reference: 'X', text: 'Payment of Ana' }]))
  const db = await store()
  await db.updateTable('statement_line').set({ text: ERASED }).execute()
  await db.updateTable('issued_card').set({ printed_name: ERASED }).execute()
  const found: unknown[] = []
  for await (const frame of lookUp(admin, 'erased')) if (frame.kind === 'found') found.push(...frame.found)
  expect(found).toEqual([])
})
