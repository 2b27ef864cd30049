import { afterEach, expect, test } from 'vitest'
import { kinds } from '#lib/kinds.ts'
import { commandNamed, registerKinds, renderText, textOf } from './kind.ts'

const rowOf = (at: number, confirm_text: string | null) => {
  const params = { referenceId: `DEP~${at}`, bankReference: `B-${at}`, statementAmount: `${at}.00` }
  const facts = { state: 'QUEUED', credit: `${at}.00000000`, debit: `${at}.00000000`, toAccountId: `user-${at}` }
  return { kind: 'deposit.confirm', params: JSON.stringify(params), facts: JSON.stringify(facts), confirm_text }
}

const kept = (at: number) => {
  const row = rowOf(at, null)
  const kind = commandNamed(row.kind)!
  const text = renderText(kind, JSON.parse(row.params), JSON.parse(row.facts), at % 2 === 0 ? 'Look twice.' : null)
  return rowOf(at, JSON.stringify(text))
}

/** As a later build. */
const changeTemplates = () =>
  registerKinds({
    ...kinds,
    'deposit.confirm': {
      ...kinds['deposit.confirm'],
      title: () => 'Accept',
      doneTitle: () => 'Accepted',
      summary: () => [],
      consequence: () => 'Otherwise.',
    },
  })

afterEach(() => registerKinds(kinds))

test('1,000 commands read the same after a template change', () => {
  registerKinds(kinds)
  const rows = Array.from({ length: 1_000 }, (_, at) => kept(at))
  const before = rows.map(textOf)
  expect(before[7]).toMatchObject({ v: 1, warning: null, button: expect.stringContaining('7.00') })
  expect(before[8]?.warning).toBe('Look twice.')
  changeTemplates()
  expect(rows.map(textOf)).toEqual(before)
  expect(textOf(rowOf(7, null))).toMatchObject({ title: 'Accept', lines: [] })
})

test('what cannot be read is rendered, and an unknown kind is not', () => {
  registerKinds(kinds)
  expect(textOf(rowOf(1, '{"v":2}'))?.title).toContain('1.00')
  expect(textOf(rowOf(1, 'no JSON'))).toBeNull()
  expect(textOf({ ...rowOf(1, null), kind: 'other' })).toBeNull()
})
