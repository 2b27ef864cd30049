import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import type { CommandState } from '#lib/commands/row.ts'
import { store } from '#lib/store/store.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { readStatementList } from './statement-list.ts'
import type { NewStatementLine } from './statement-table.ts'
import { isHandled, lineStatuses } from './statement-view.ts'
import { readStatement } from './view.ts'

beforeEach(() => freshConsole())

const AT = '2026-11-20T10:00:00.000Z'
const AT_ONCE = 200

const states: readonly (CommandState | null)[] = [
  null,
  'draft',
  'awaiting_approval',
  'sent',
  'challenged',
  'done',
  'accepted',
  'refused',
  'unknown',
  'applied',
  'not_applied',
  'closed',
]
const verdicts = ['unread', 'unknown', 'mismatched', 'ready'] as const
const pages = ['none', 'confirmed', 'confirmed another amount', 'confirmed another line'] as const
const twins = ['none', 'before it', 'set aside before it', 'in an earlier statement', 'in a discarded one'] as const

interface Case {
  readonly name: string
  readonly state: CommandState | null
  readonly isSetAside: boolean
  readonly verdict: (typeof verdicts)[number]
  readonly page: (typeof pages)[number]
  readonly twin: (typeof twins)[number]
}

const cases: readonly Case[] = states.flatMap((state) =>
  [false, true].flatMap((isSetAside) =>
    verdicts.flatMap((verdict) =>
      pages.flatMap((page) =>
        twins.map((twin) => {
          const name = [state, isSetAside, verdict, page, twin].join('/')
          return { name, state, isSetAside, verdict, page, twin }
        }),
      ),
    ),
  ),
)

let numbers = 0

function lineOf(statement_id: string, name: string, change: Partial<NewStatementLine> = {}): NewStatementLine {
  numbers += 1
  return {
    ...{ statement_id, number: numbers, place: numbers, reference: name, sought: name, sought_from: 'field' as const },
    ...{ amount: '10', currency: ['', 'BZD', 'EUR'][numbers % 3] ?? '', text: '', fingerprint: String(numbers) },
    ...{ bank_reference: name, bank_used: name, bank_key: `bank:${name}`, booked_on: '', verdict: 'ready' as const },
    ...{ found_state: 'QUEUED', found_debit: '10', found_credit: '10', looked_at: AT },
    ...change,
  }
}

const commandOf = (id: string, target: string, state: CommandState, amount = '10') => ({
  ...{ id, target, state, kind: 'deposit.confirm', actor: 'sso:1', actor_name: 'mia', boot_id: 'boot', facts: '{}' },
  ...{ params: JSON.stringify({ statementAmount: `BZD ${amount}` }), amount },
  ...{ created_at: AT, sent_at: AT, settled_at: AT },
})

/** The line of a case, after the lines that matter to it. */
function linesOf({ name, state, isSetAside, verdict, page, twin }: Case): readonly NewStatementLine[] {
  const isByHand = state === 'draft' && page === 'none' && twin === 'none'
  return [
    ...(page === 'confirmed another line' ? [lineOf('later', `${name}/another`, { command_id: `page/${name}` })] : []),
    ...(twin === 'before it' ? [lineOf('own', `${name}/twin`, { sought: name })] : []),
    ...(twin === 'set aside before it' ? [lineOf('own', name, { set_aside_reason: 'twice' })] : []),
    ...(twin === 'in an earlier statement' ? [lineOf('earlier', `${name}/twin`, { bank_key: `bank:${name}` })] : []),
    ...(twin === 'in a discarded one' ? [lineOf('discarded', name)] : []),
    lineOf('own', name, {
      ...{ verdict, sought_from: isByHand ? 'hand' : 'field', command_id: state === null ? null : `own/${name}` },
      set_aside_reason: isSetAside ? 'asked the bank' : null,
    }),
  ]
}

const commandsOf = ({ name, state, page }: Case) => [
  ...(state === null ? [] : [commandOf(`own/${name}`, name, state)]),
  ...(page === 'none'
    ? []
    : [commandOf(`page/${name}`, name, 'done', page === 'confirmed another amount' ? '11' : '10')]),
]

async function addStatements(ids: readonly string[]): Promise<void> {
  const db = await store()
  for (const [at, id] of ids.entries()) {
    const statement = {
      id,
      owner: 'sso:1',
      owner_name: 'mia',
      file_name: `${id}.csv`,
      digest: id,
      format: 'csv',
      accounts: '[]',
    }
    const taken_at = `2026-11-2${at}T10:00:00.000Z`
    const discarded_at = id === 'discarded' ? AT : null
    const row = { ...statement, taken_at, discarded_at, left_out: 0, work_done: 0, work_total: 0, work_runs: 0 }
    await db
      .insertInto('statement')
      .values({ ...row, work_stop: false, work_wants_code: false })
      .execute()
  }
}

async function addLines(lines: readonly NewStatementLine[]): Promise<void> {
  const db = await store()
  for (let from = 0; from < lines.length; from += AT_ONCE) {
    await db
      .insertInto('statement_line')
      .values(lines.slice(from, from + AT_ONCE))
      .execute()
  }
}

const readList = (open: boolean, page = 1, size = 20) => readStatementList({ open, page, size })

async function openOnItsPage(id: string) {
  const read = await readStatement(id, { status: null, page: 1, size: 1 })
  const open = Map.groupBy(read?.totals.filter(({ status }) => !isHandled(status)) ?? [], ({ currency }) => currency)
  return Object.fromEntries(
    [...open].map(([currency, totals]) => [
      currency,
      [totals.reduce((sum, one) => sum + one.count, 0), totals.reduce((sum, one) => sum + Number(one.sum), 0)],
    ]),
  )
}

test('counts the open lines of its page, in every state', async () => {
  const db = await store()
  await addStatements(['discarded', 'earlier', 'own', 'later'])
  for (let from = 0; from < cases.length; from += AT_ONCE) {
    const some = cases.slice(from, from + AT_ONCE)
    const locks = some.filter(({ page }) => page !== 'none')
    await db.insertInto('command').values(some.flatMap(commandsOf)).execute()
    await db
      .insertInto('command_lock')
      .values(locks.map(({ name }) => ({ key: `bank:${name}`, command_id: `page/${name}`, for_ever: true })))
      .execute()
    await addLines(some.flatMap(linesOf))
  }
  await sql`ANALYZE`.execute(db)
  const totals = (await readStatement('own', { status: null, page: 1, size: 1 }))?.totals ?? []
  expect(new Set(totals.map(({ status }) => status))).toEqual(new Set(lineStatuses))
  const { statements } = await readList(false)
  expect(statements.map(({ id }) => id)).toEqual(['later', 'own', 'earlier'])
  for (const { id, open } of statements) {
    const listed = Object.fromEntries(open.map(({ currency, count, sum }) => [currency, [count, Number(sum)]]))
    expect(listed, id).toEqual(await openOnItsPage(id))
  }
})

test('lists open statements oldest first, all newest first', async () => {
  await addStatements(['first', 'handled', 'last'])
  await addLines([
    lineOf('first', 'A', { booked_on: '2026-11-19', currency: 'EUR', amount: '2.50' }),
    lineOf('first', 'B', { booked_on: '2026-10-31', currency: '' }),
    lineOf('first', 'C', { booked_on: '1.12.2026', set_aside_reason: 'twice' }),
    lineOf('handled', 'D', { booked_on: '20.11.', set_aside_reason: 'twice' }),
    lineOf('last', 'E', { booked_on: '2026-11-20' }),
  ])
  const open = await readList(true)
  expect(open.counts).toEqual({ open: 2, all: 3 })
  expect(open.statements.map(({ id, lines, days }) => ({ id, lines, days }))).toEqual([
    { id: 'first', lines: 3, days: { first: '2026-10-31', last: '2026-11-19' } },
    { id: 'last', lines: 1, days: { first: '2026-11-20', last: '2026-11-20' } },
  ])
  expect(open.statements[0]?.open).toMatchObject([
    { currency: 'BZD', count: 1, sum: '10' },
    { currency: 'EUR', count: 1, sum: '2.50' },
  ])
  const all = await readList(false)
  expect(all.statements.map(({ id }) => id)).toEqual(['last', 'handled', 'first'])
  expect(all.statements[1]).toMatchObject({ open: [], lines: 1, days: null, work: null })
})

test('pages the list and counts all pages', async () => {
  await addStatements(['a', 'b', 'c'])
  await addLines(['a', 'b', 'c'].map((id) => lineOf(id, id)))
  const second = await readList(true, 2, 2)
  expect([second.counts, second.statements.map(({ id }) => id)]).toEqual([{ open: 3, all: 3 }, ['c']])
})
