import { parse } from 'csv-parse/sync'
import { type RawBuilder, sql } from 'kysely'
import { beforeEach, describe, expect } from 'vitest'
import { store } from '#lib/store/store.ts'
import { runCommand } from '#lib/testing/command-run.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { confirmForTest, csvOf, importedAndRead } from '#lib/testing/test-statement.ts'
import { serviceTest } from '#lib/testing/test-worlds.ts'
import { daysBefore } from '#lib/values/time.ts'
import { type DayReport, dayReportFile, readDayReport, reportDay } from './day-report.ts'
import { editLine } from './edit-line.ts'
import { discardStatement } from './statement-list.ts'

const ZONE = 'America/Belize'
const DAY = '2026-03-02'
const NEXT = '2026-03-03'
const NOTHING = { count: 0, sum: '0' }
const tally = (count: number, sum: string) => ({ count, sum })

const test = serviceTest.extend('work', ({ service, operator, admin }) => async (): Promise<string> => {
  const [ready, paged] = [await service.announceDeposit('250.5'), await service.announceDeposit('12')]
  const id = await importedAndRead(
    operator,
    csvOf([
      { reference: ready, amount: '250.50' },
      { reference: paged, amount: '12.00', bank: 'B-2' },
      { amount: '3.25', text: 'unknown' },
      { amount: '4.75', text: 'cash' },
    ]),
  )
  await runCommand(admin, 'deposit.confirm', { referenceId: paged, bankReference: 'B-2', statementAmount: '12' })
  await confirmForTest(operator, id)
  await editLine(operator, id, 3, { act: 'set-aside', reason: 'Of another company.' })
  await editLine(admin, id, 4, { act: 'set-aside', reason: '=1+1' })
  await editLine(admin, id, 4, { act: 'put-back', reason: '' })
  await editLine(admin, id, 4, { act: 'reference', reference: 'nothing' })
  return id
})

const reportOf = async (day: string, listed: number | null = null): Promise<DayReport> =>
  await readDayReport(await store(), day, listed)

const run = async (query: RawBuilder<unknown>) => void (await query.execute(await store()))

interface MadeLine {
  readonly amount: string
  readonly account?: string
  readonly currency?: string
  readonly reference?: string
  readonly bank?: string
  readonly seen?: string
  readonly reason?: string
  readonly by?: string
}

/** A statement that was imported at that time, without a lookup. */
async function made(id: string, at: string, ...lines: readonly MadeLine[]): Promise<void> {
  await run(sql`
    INSERT INTO statement (id, owner, owner_name, file_name, digest, format, taken_at, left_out)
    VALUES (${id}, 'sso:1', 'mia', ${`${id}.csv`}, ${id}, 'csv', ${at}, 0)`)
  for (const [index, line] of lines.entries()) {
    const { amount, account = '', currency = '', reference = '', bank = null, seen = null } = line
    await run(sql`
      INSERT INTO statement_line (statement_id, number, place, reference, amount, currency, bank_reference, booked_on, text,
        account, fingerprint, sought, sought_from, bank_used, bank_key, verdict, seen_statement, set_aside_reason, set_aside_by)
      VALUES (${id}, ${index + 1}, ${index + 1}, ${reference}, ${amount}, ${currency}, '', '', '', ${account}, '', ${reference},
        'field', '', ${bank}, ${bank === null ? 'unread' : 'ready'}, ${seen}, ${line.reason ?? null}, ${line.by ?? null})`)
  }
}

interface MadeCommand {
  readonly kind?: string
  readonly state?: string
  readonly target?: string
  readonly params: object
  readonly amount?: string
  readonly at: string
  readonly by?: string
}

async function act(id: string, { kind = 'statement.edit-line', target = '', ...made }: MadeCommand): Promise<void> {
  const { params, at, state = 'done', by = 'mia' } = made
  await run(sql`
    INSERT INTO command (id, kind, state, actor, actor_name, params, facts, target, created_at, sent_at, settled_at, boot_id,
      amount)
    VALUES (${id}, ${kind}, ${state}, ${`sso:${by}`}, ${by}, ${JSON.stringify(params)}, '{}', ${target}, ${at}, ${at}, ${at}, 'b',
      ${made.amount ?? null})`)
}

const confirm = (id: string, amount: string, at: string, more: Partial<MadeCommand> = {}) =>
  act(id, { kind: 'deposit.confirm', params: { statementAmount: `BZD ${amount}` }, amount, at, ...more })

const bind = (statement: string, number: number, command: string) =>
  run(sql`UPDATE statement_line SET command_id = ${command} WHERE statement_id = ${statement} AND number = ${number}`)

describe('a day', () => {
  beforeEach(() => freshConsole({ BUSINESS_ZONE: ZONE }))

  test('sums each account and currency exactly', async () => {
    await made(
      'one',
      '2026-03-02T15:00:00.000Z',
      { amount: '0.1', account: 'A' },
      { amount: '0.2', account: 'A' },
      { amount: '99999999999999999999.00000001', account: 'B' },
      { amount: '7', account: 'A', currency: 'EUR' },
    )
    await made('two', '2026-03-02T16:00:00.000Z', { amount: '5.05', account: 'A', currency: 'BZD' }, { amount: '1' })
    const { statements, accounts } = await reportOf(DAY)
    expect(statements).toBe(2)
    const none = { confirmed: NOTHING, setAside: NOTHING }
    const received = (count: number, sum: string) => ({ received: tally(count, sum), open: tally(count, sum), ...none })
    expect(accounts).toEqual([
      { account: '', currency: 'BZD', ...received(1, '1') },
      { account: 'A', currency: 'BZD', ...received(3, '5.35') },
      { account: 'A', currency: 'EUR', ...received(1, '7') },
      { account: 'B', currency: 'BZD', ...received(1, '99999999999999999999.00000001') },
    ])
  })

  test('begins and ends at midnight of the business zone', async () => {
    await made('before', '2026-03-02T05:59:59.999Z', { amount: '1' })
    await made('first', '2026-03-02T06:00:00.000Z', { amount: '2' }, { amount: '2' })
    await made('last', '2026-03-03T05:59:59.999Z', { amount: '4' })
    await made('after', '2026-03-03T06:00:00.000Z', { amount: '8' })
    await confirm('early', '2', '2026-03-02T05:59:59.999Z')
    await confirm('late', '2', '2026-03-03T06:00:00.000Z')
    await bind('first', 1, 'early')
    await bind('first', 2, 'late')
    const [account] = (await reportOf(DAY)).accounts
    expect(account).toMatchObject({ received: tally(3, '8'), confirmed: NOTHING, open: tally(1, '4') })
    expect((await reportOf(NEXT)).accounts[0]).toMatchObject({ received: tally(1, '8'), confirmed: tally(1, '2') })
  })

  test('counts a repeated line once, unless the first is discarded', async () => {
    await made('first', '2026-03-02T15:00:00.000Z', { amount: '10' })
    const repeat = { amount: '10', seen: 'first', reason: 'Already in an earlier statement, line 1.' }
    await made('second', '2026-03-02T16:00:00.000Z', repeat, { amount: '3' })
    expect((await reportOf(DAY)).accounts[0]).toMatchObject({ received: tally(2, '13'), setAside: NOTHING })
    expect((await reportOf(DAY)).setAside).toEqual([])
    await run(sql`UPDATE statement SET discarded_at = '2026-03-02T17:00:00.000Z' WHERE id = 'first'`)
    const { statements, accounts, setAside } = await reportOf(DAY)
    expect(statements).toBe(1)
    expect(accounts[0]).toMatchObject({ received: tally(2, '13'), setAside: tally(1, '10'), open: tally(1, '3') })
    expect(setAside).toMatchObject([{ statementId: 'second', number: 1, by: null }])
  })

  test('excludes discarded statements, but not their confirmations', async () => {
    await made('gone', '2026-03-02T15:00:00.000Z', { amount: '10' }, { amount: '20', reason: 'Not ours.', by: 'mia' })
    await confirm('done', '10', '2026-03-02T15:01:00.000Z')
    await bind('gone', 1, 'done')
    await act('aside', { target: 'gone', params: { line: 2, what: 'set-aside' }, at: '2026-03-02T15:02:00.000Z' })
    await act('typed', { target: 'gone', params: { line: 2, what: 'reference' }, at: '2026-03-02T15:02:00.000Z' })
    await run(sql`UPDATE statement SET discarded_at = '2026-03-02T17:00:00.000Z'`)
    expect(await reportOf(DAY)).toEqual({
      ...{ statements: 0, accounts: [], setAside: [], setAsideCount: 0 },
      people: [{ person: 'mia', currency: 'BZD', confirmed: tally(1, '10'), setAside: NOTHING, references: 0 }],
    })
  })

  test('counts a line set aside twice on the later day', async () => {
    const aside = { reason: 'Of another company.', by: 'leo' }
    await made('one', '2026-03-01T15:00:00.000Z', { amount: '10', ...aside }, { amount: '5', ...aside })
    const target = { target: 'one', params: { line: 1, what: 'set-aside' } }
    await act('first', { ...target, at: '2026-03-02T15:00:00.000Z' })
    await act('second', { ...target, at: '2026-03-03T15:00:00.000Z', by: 'leo' })
    await act('other', { target: 'one', params: { line: 2, what: 'set-aside' }, at: '2026-03-02T15:00:00.000Z' })
    expect((await reportOf(DAY)).setAside).toMatchObject([{ number: 2, by: 'mia' }])
    const { accounts, people, setAside } = await reportOf(NEXT)
    expect(accounts[0]).toMatchObject({ received: NOTHING, setAside: tally(1, '10'), open: NOTHING })
    expect(people).toMatchObject([{ person: 'leo', setAside: tally(1, '10') }])
    expect(setAside).toEqual([
      {
        ...{ statementId: 'one', fileName: 'one.csv', number: 1, amount: '10', currency: 'BZD' },
        ...{ reason: 'Of another company.', by: 'leo' },
      },
    ])
  })

  test('counts a returned payment on the day of its act', async () => {
    const reason = 'The money went back: reversed in a later statement.'
    await made('old', '2026-03-01T15:00:00.000Z', { amount: '10', reason }, { amount: '5', reason: 'Paid out again.' })
    await act('back', { target: 'old', params: { line: 1, what: 'set-aside' }, at: '2026-03-02T15:00:00.000Z' })
    const aside = async (day: string) => (await reportOf(day)).setAside.map(({ number, by }) => [number, by])
    expect([await aside('2026-03-01'), await aside(DAY), await aside(NEXT)]).toEqual([[[2, null]], [[1, 'mia']], []])
    const { accounts, people } = await reportOf(DAY)
    expect(accounts[0]).toMatchObject({ received: NOTHING, setAside: tally(1, '10'), open: NOTHING })
    expect(people).toMatchObject([{ person: 'mia', setAside: tally(1, '10') }])
    const [ofImport] = (await reportOf('2026-03-01')).accounts
    expect(ofImport).toMatchObject({ received: tally(2, '15'), setAside: tally(1, '5'), open: NOTHING })
  })

  test('counts a repeat that was put back and then returned', async () => {
    const reason = 'The money went back: reversed in a later statement.'
    await made('first', '2026-03-01T15:00:00.000Z', { amount: '1' })
    await made('second', '2026-03-01T16:00:00.000Z', { amount: '10', seen: 'first', reason })
    await act('put', { target: 'second', params: { line: 1, what: 'put-back' }, at: '2026-03-01T17:00:00.000Z' })
    await act('back', { target: 'second', params: { line: 1, what: 'set-aside' }, at: '2026-03-02T15:00:00.000Z' })
    expect((await reportOf('2026-03-01')).accounts[0]).toMatchObject({ received: tally(2, '11'), setAside: NOTHING })
    expect((await reportOf(DAY)).accounts[0]).toMatchObject({ received: NOTHING, setAside: tally(1, '10') })
  })

  test('sums what each person did, by currency', async () => {
    await made('one', '2026-03-01T15:00:00.000Z', { amount: '10' }, { amount: '20', currency: 'EUR' })
    await confirm('one', '0.10', '2026-03-02T15:00:00.000Z')
    await confirm('two', '0.20', '2026-03-02T15:00:00.000Z', { state: 'applied' })
    await confirm('none', '5', '2026-03-02T15:00:00.000Z', { state: 'unknown' })
    await confirm('leo', '7', '2026-03-02T15:00:00.000Z', { by: 'leo' })
    for (const [number, what] of [
      'reference',
      'accept',
      'accept-found',
      'accept-payer',
      'bank-reference',
      'look',
    ].entries()) {
      const params = { line: 1, what }
      await act(what, { target: 'one', params, at: `2026-03-02T15:00:0${number}.000Z` })
    }
    await act('euro', { target: 'one', params: { line: 2, what: 'accept' }, at: '2026-03-02T15:00:00.000Z' })
    await act('next', { target: 'one', params: { line: 2, what: 'accept' }, at: '2026-03-03T15:00:00.000Z' })
    const none = { setAside: NOTHING }
    expect((await reportOf(DAY)).people).toEqual([
      { person: 'leo', currency: 'BZD', confirmed: tally(1, '7'), references: 0, ...none },
      { person: 'mia', currency: 'BZD', confirmed: tally(2, '0.3'), references: 5, ...none },
      { person: 'mia', currency: 'EUR', confirmed: NOTHING, references: 1, ...none },
    ])
  })

  test('lists the first lines and counts all', async () => {
    const line = { amount: '1', reason: 'Paid out again.' }
    await made('one', '2026-03-02T15:00:00.000Z', line, line, line)
    const { setAside, setAsideCount } = await reportOf(DAY, 2)
    expect([setAside.map(({ number }) => number), setAsideCount]).toEqual([[1, 2], 3])
  })

  test('counts a deposit confirmed on its page with its line', async () => {
    const line = { amount: '10.00', reference: 'R', bank: 'bank:B' }
    await made('one', '2026-03-01T15:00:00.000Z', line, { amount: '3' })
    await confirm('page', '10', '2026-03-02T15:00:00.000Z', { target: 'R' })
    await run(sql`INSERT INTO command_lock (key, command_id, for_ever) VALUES ('bank:B', 'page', true)`)
    const { accounts } = await reportOf(DAY)
    expect(accounts).toHaveLength(1)
    expect(accounts[0]).toMatchObject({ received: NOTHING, confirmed: tally(1, '10.00'), open: NOTHING })
    expect((await reportOf(NEXT)).accounts).toEqual([])
  })

  test.each(['2026-02-30', '1999-12-31', '9999-12-31', '2026-3-2', 'x'])('refuses %s as a day', (text) => {
    const { day, today, fault } = reportDay(text)
    expect([day, fault]).toEqual([today, `“${text}” is not a day up to today. Use the form 2026-11-20.`])
  })

  test('today is the day of the business zone', () => {
    const { day, today, fault } = reportDay('')
    expect([day, fault]).toEqual([today, null])
    expect(reportDay(daysBefore(today, 1))).toEqual({ day: daysBefore(today, 1), today, fault: null })
  })
})

describe('a day of work', () => {
  const today = () => reportDay('').day

  test('agrees with what its people did', async ({ operator, work }) => {
    const id = await work()
    const nothing = { count: 0, sum: '0' }
    expect(await reportOf(today())).toEqual({
      statements: 1,
      accounts: [
        {
          ...{ account: '', currency: 'BZD', received: tally(4, '270.50'), confirmed: tally(2, '262.50') },
          ...{ setAside: tally(1, '3.25'), open: tally(1, '4.75') },
        },
      ],
      people: [
        {
          ...{ person: 'admin@example.com', currency: 'BZD', confirmed: tally(1, '12'), setAside: nothing },
          references: 1,
        },
        {
          ...{ person: 'operator@example.com', currency: 'BZD', confirmed: tally(1, '250.5') },
          ...{ setAside: tally(1, '3.25'), references: 0 },
        },
      ],
      setAside: [
        {
          ...{ statementId: id, fileName: 'July.csv', number: 3, amount: '3.25', currency: 'BZD' },
          ...{ reason: 'Of another company.', by: 'operator@example.com' },
        },
      ],
      setAsideCount: 1,
    })
    await discardStatement(operator, id)
    expect(await reportOf(today())).toMatchObject({ statements: 0, accounts: [], setAside: [] })
  })

  test('counts what a later import sets aside today', async ({ service, operator, admin }) => {
    const reference = await service.announceDeposit('10')
    const id = await importedAndRead(operator, csvOf([{ reference }]))
    await run(sql`UPDATE statement SET taken_at = '2026-03-02T15:00:00.000Z' WHERE id = ${id}`)
    await importedAndRead(admin, csvOf([{ reference: 'other' }, { reference, amount: '-10.00' }]))
    expect((await reportOf(DAY)).setAside).toEqual([])
    expect((await reportOf(today())).setAside).toMatchObject([{ statementId: id, by: 'admin@example.com' }])
  })

  test('exports all parts as one formula-safe file', async ({ admin, work }) => {
    const id = await work()
    await editLine(admin, id, 4, { act: 'set-aside', reason: '=1+1' })
    const file = await dayReportFile(today())
    expect(file.name).toBe(`end-of-day-${today()}.csv`)
    expect(file.text.startsWith('\uFEFF')).toBe(true)
    const rows = parse(file.text, { columns: true, bom: true }) as Record<string, string>[]
    expect(file.rows).toBe(rows.length)
    expect(rows.map(({ Part }) => Part)).toEqual(['Account', 'Person', 'Person', 'Set aside', 'Set aside'])
    expect(rows[0]).toMatchObject({
      ...{ Day: today(), 'Time zone': 'UTC', Account: '', Currency: 'BZD', Received: '4', 'Left open': '0' },
      ...{ 'Received, sum': '270.50000000', 'Confirmed, sum': '262.50000000', 'Set aside, sum': '8.00000000' },
    })
    expect(rows[1]).toMatchObject({ Person: 'admin@example.com', Confirmed: '1', Received: '', References: '1' })
    expect(rows[4]).toMatchObject({
      ...{ Person: 'admin@example.com', Statement: 'July.csv', Line: '4', Amount: '4.75000000', Reason: "'=1+1" },
    })
  })
})
