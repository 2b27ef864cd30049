import { describe, expect } from 'vitest'
import { findCommand } from '#lib/commands/store.ts'
import { store } from '#lib/store/store.ts'
import {
  confirmForTest,
  csvOf,
  importedAndRead,
  importForTest,
  pageOf,
  statusesOf,
  toItsEnd,
} from '#lib/testing/test-statement.ts'
import { serviceTest as test } from '#lib/testing/test-worlds.ts'
import { draftByHand } from './confirm-lines.ts'
import { editLine } from './edit-line.ts'
import { startMatching } from './match-lines.ts'
import { discardStatement, restoreStatement } from './statement-list.ts'

const CONFIRM = '/api/v1/Transaction/deposit/confirm'

const lineOf = async (id: string, number: number) => {
  const line = (await pageOf(id)).lines[number - 1]
  if (line === undefined) throw new Error('there is no such line')
  return line
}

test('a line tells which line of its statement it repeats, and by which reference', async ({ service, operator }) => {
  const [one, two, three] = [
    await service.announceDeposit('10'),
    await service.announceDeposit('10'),
    await service.announceDeposit('10'),
  ]
  const id = await importedAndRead(
    operator,
    csvOf([
      { reference: one, bank: 'B-1' },
      { reference: one, bank: 'B-2' },
      { reference: two, bank: 'b-1' },
      { reference: one, bank: 'B-1', text: 'again' },
      { reference: three, bank: 'B-9' },
    ]),
  )
  const first = { statementId: id, number: 1, fileName: 'July.csv' }
  expect(await statusesOf(id)).toEqual(['ready', 'mismatched', 'mismatched', 'mismatched', 'ready'])
  expect(await lineOf(id, 1)).toMatchObject({ sameReference: null, sameBankReference: null })
  expect(await lineOf(id, 2)).toMatchObject({ sameReference: first, sameBankReference: null })
  expect(await lineOf(id, 3)).toMatchObject({ sameReference: null, sameBankReference: first })
  expect(await lineOf(id, 4)).toMatchObject({ sameReference: first, sameBankReference: first })
})

test('holds a duplicate line until the first is set aside', async ({ service, operator }) => {
  const before = await service.arrived('POST', CONFIRM)
  const [reference, other] = [await service.announceDeposit('10'), await service.announceDeposit('10')]
  const first = await importedAndRead(operator, csvOf([{ reference, bank: 'B-1' }]))
  const second = await importedAndRead(
    operator,
    csvOf([
      { reference, bank: 'B-2' },
      { reference: other, bank: 'b-1' },
    ]),
  )
  const at = { statementId: first, number: 1, fileName: 'July.csv' }
  expect(await statusesOf(second)).toEqual(['mismatched', 'mismatched'])
  expect(await lineOf(second, 1)).toMatchObject({ hold: 'other-line', sameReference: at, sameBankReference: null })
  expect(await lineOf(second, 2)).toMatchObject({ hold: 'other-line', sameReference: null, sameBankReference: at })
  expect(await confirmForTest(operator, second)).toBe('changed')
  expect((await draftByHand(operator, second, 1)).ok).toBe(false)
  expect(await statusesOf(first)).toEqual(['ready'])
  await editLine(operator, first, 1, { act: 'set-aside', reason: 'the later one is right' })
  expect(await statusesOf(second)).toEqual(['ready', 'ready'])
  expect(await service.arrived('POST', CONFIRM)).toBe(before)
})

test('recognises a line of an earlier file in another spelling', async ({ service, operator }) => {
  const reference = await service.announceDeposit('10')
  const first = await importedAndRead(operator, csvOf([{ reference, bank: 'ATL-2026-0042', text: 'July rent' }]))
  const spelling = { reference: `${reference}\u200B`, bank: 'atl\u2011\u00AD2026\u20130042', text: 'July\u2060 rent' }
  const second = await importedAndRead(operator, csvOf([spelling]))
  expect(await statusesOf(second)).toEqual(['set-aside'])
  expect(await lineOf(second, 1)).toMatchObject({ seen: { statementId: first, number: 1 } })
})

test('an earlier line is repeated once, in however many parts', async ({ operator }) => {
  const one = { bank: 'B-1', text: 'rent', reference: 'R-1' }
  const first = await importForTest(operator, csvOf([one]))
  const between = Array.from({ length: 250 }, (_, n) => ({ reference: `R-9${n}`, bank: `B-9${n}` }))
  const second = await importForTest(operator, csvOf([one, ...between, one]))
  expect(await lineOf(second, 1)).toMatchObject({ status: 'set-aside', seen: { statementId: first, number: 1 } })
  const last = await (await store())
    .selectFrom('statement_line')
    .select(['seen_number', 'set_aside_reason'])
    .where('statement_id', '=', second)
    .where('number', '=', 252)
    .executeTakeFirst()
  expect(last).toEqual({ seen_number: null, set_aside_reason: null })
})

test('confirms one line per bank reference, however it is written', async ({ service, operator }) => {
  const [one, two, three] = [
    await service.announceDeposit('10'),
    await service.announceDeposit('10'),
    await service.announceDeposit('10'),
  ]
  const first = await importedAndRead(
    operator,
    csvOf([
      { reference: one, bank: 'B\u00AD-\u200B1' },
      { reference: two, bank: 'b\u20111' },
    ]),
  )
  expect(await statusesOf(first)).toEqual(['ready', 'mismatched'])
  expect(await lineOf(first, 2)).toMatchObject({ hold: 'other-line' })
  await confirmForTest(operator, first)
  expect(await statusesOf(first)).toEqual(['done', 'mismatched'])
  const { commandId } = await lineOf(first, 1)
  const params = (await findCommand(await store(), commandId ?? ''))?.params ?? '{}'
  expect(JSON.parse(params)).toMatchObject({ bankReference: 'B-1', removed: '2 invisible characters: U+00AD, U+200B' })
  const second = await importedAndRead(operator, csvOf([{ reference: three, bank: 'b-\uFE0F1' }]))
  expect(await lineOf(second, 1)).toMatchObject({ status: 'mismatched', hold: 'bank-reference-taken' })
})

test('of a statement that was discarded no line stands in the way', async ({ service, operator }) => {
  const reference = await service.announceDeposit('10')
  const first = await importedAndRead(operator, csvOf([{ reference, bank: 'B-1' }]))
  const second = await importedAndRead(operator, csvOf([{ reference, bank: 'B-2' }]))
  expect(await statusesOf(second)).toEqual(['mismatched'])
  expect(await discardStatement(operator, first)).toBeNull()
  expect(await statusesOf(second)).toEqual(['ready'])
})

test('a bank reference that confirmed another deposit says which line did so', async ({ service, operator }) => {
  const [reference, other] = [await service.announceDeposit('10'), await service.announceDeposit('10')]
  const first = await importedAndRead(operator, csvOf([{}, { reference, bank: 'B-1' }]))
  await confirmForTest(operator, first)
  const second = await importedAndRead(operator, csvOf([{ reference: other, bank: 'B-1' }]))
  expect(await lineOf(second, 1)).toMatchObject({
    status: 'mismatched',
    hold: 'bank-reference-taken',
    bankHolder: { by: 'operator@example.com', line: { statementId: first, number: 2, fileName: 'July.csv' } },
  })
})

test('lines without a reference and without a bank reference are no duplicates of each other', async ({
  service,
  operator,
}) => {
  const [one, two] = [await service.announceDeposit('12'), await service.announceDeposit('13')]
  const id = await importedAndRead(
    operator,
    csvOf([{ bank: '' }, { bank: '' }, { reference: one, bank: '' }, { reference: two, bank: '' }]),
  )
  expect(await statusesOf(id)).toEqual(['unknown', 'unknown', 'mismatched', 'mismatched'])
  for (const line of (await pageOf(id)).lines) {
    expect([line.hold, line.sameReference, line.sameBankReference]).toEqual([null, null, null])
  }
})

const mt940 = (account: string, ...entries: readonly string[]): Uint8Array =>
  Buffer.from(
    [':20:X', `:25:${account}`, ':28C:1/1', ':60F:C261119BZD0,00', ...entries, ':62F:C261120BZD10,00'].join('\n'),
  )

const camt = (account: string, bank: string): Uint8Array =>
  Buffer.from(`<Document><BkToCstmrStmt><Stmt><Acct><Id><IBAN>${account}</IBAN></Id></Acct><Ntry>
    <Amt Ccy="BZD">10</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-11-20</Dt></BookgDt>
    <AcctSvcrRef>${bank}</AcctSvcrRef></Ntry></Stmt></BkToCstmrStmt></Document>`)

test('equal payments of one day are not dropped', async ({ operator }) => {
  const equal = { reference: 'RENT', bank: 'B-1' }
  await importedAndRead(operator, csvOf([equal, equal]))
  const second = await importedAndRead(operator, csvOf([equal, equal, equal, { reference: 'OTHER', bank: 'B-2' }]))
  expect(await statusesOf(second)).toEqual(['set-aside', 'set-aside', 'unknown', 'unknown'])
  expect((await pageOf(second)).lines.map(({ seen }) => seen?.number ?? null)).toEqual([1, 2, null, null])
})

test.for([['37040044/0532013000'], ['37040044/532013000BZD']])(
  'recognises a payment of %s in a file of another format',
  async ([written = ''], { operator }) => {
    const account = 'BZ89370400440532013000'
    await importedAndRead(operator, mt940(written, ':61:2611201120C10,00NTRFDEP-1//ATL-7'))
    const second = await importedAndRead(operator, camt(account, 'atl-7'))
    expect(await statusesOf(second)).toEqual(['set-aside'])
  },
)

test('recognises a payment read before without its second line', async ({ operator }) => {
  const entry = ':61:2611201120C10,00NTRFNONREF'
  await importedAndRead(operator, mt940('100200', entry, ':86:Cash'))
  const second = await importedAndRead(operator, mt940('BZ100200', entry, 'Top-up DEP-1', ':86:Cash'))
  expect(await statusesOf(second)).toEqual(['set-aside'])
  expect((await lineOf(second, 1)).text).toBe('Cash Top-up DEP-1')
})

test('compares whole payments before those without a second line', async ({ operator }) => {
  const entry = ':61:2611201120C5,00NTRFNONREF'
  await importedAndRead(operator, mt940('100200', entry, ':86:Cash', entry, ':86:Other'))
  const both = mt940('BZ100200', entry, 'Top-up DEP-1', ':86:Cash', entry, ':86:Cash')
  expect(await statusesOf(await importedAndRead(operator, both))).toEqual(['unknown', 'set-aside'])
})

test.for([[[]], [[':86:Cash']]] as const)(
  'tells payments apart by second lines before %j',
  async ([details], { operator }) => {
    const entry = ':61:2611201120C10,00NTRFNONREF'
    await importedAndRead(operator, mt940('100200', entry, 'Top-up DEP-1', ...details))
    const second = await importedAndRead(operator, mt940('BZ100200', entry, 'Top-up DEP-2', ...details))
    expect(await statusesOf(second)).toEqual(['unknown'])
    const third = await importedAndRead(operator, mt940('1BZ100200', entry, 'Top-up DEP-2', ...details))
    expect(await statusesOf(third)).toEqual(['set-aside'])
  },
)

test('a payment of another account is no repeat', async ({ operator }) => {
  await importedAndRead(operator, mt940('100200', ':61:2611201120C10,00NTRFDEP-1//ATL-7'))
  const second = await importedAndRead(operator, mt940('100300', ':61:2611201120C10,00NTRFDEP-1//ATL-7'))
  expect(await statusesOf(second)).toEqual(['unknown'])
})

test('a repeated line is put back with a reason only', async ({ operator }) => {
  const line = { reference: 'RENT', bank: 'B-1' }
  await importedAndRead(operator, csvOf([line]))
  const second = await importedAndRead(operator, csvOf([line, {}]))
  expect(await editLine(operator, second, 1, { act: 'put-back', reason: '' })).toBe('Enter why it is put back.')
  expect(await editLine(operator, second, 1, { act: 'put-back', reason: 'paid twice' })).toBeNull()
})

test('of files imported at once, one counts a payment', async ({ operator, admin }) => {
  const one = { reference: '', bank: '', text: 'cash deposit' }
  const ids = await Promise.all([
    importForTest(operator, csvOf([one])),
    importForTest(admin, csvOf([one, { reference: 'second' }])),
  ])
  const statuses = await Promise.all(ids.map(statusesOf))
  expect(statuses.map(([status]) => status).toSorted()).toEqual(['set-aside', 'unread'])
})

describe('once its statement is discarded, a repeated payment', () => {
  const again = { reference: 'RENT', bank: 'B-1' }

  test('counts in the next statement, and once when imported again', async ({ operator }) => {
    const first = await importForTest(operator, csvOf([again]))
    const second = await importForTest(operator, csvOf([again, { reference: 'second' }]))
    const third = await importForTest(operator, csvOf([again, { reference: 'third' }]))
    expect(await discardStatement(operator, first)).toBeNull()
    expect((await statusesOf(second))[0]).toBe('unread')
    expect((await pageOf(third)).lines[0]).toMatchObject({ status: 'set-aside', seen: { statementId: second } })
    const anew = await importForTest(operator, csvOf([again]))
    expect((await pageOf(anew)).lines[0]).toMatchObject({ status: 'set-aside', seen: { statementId: second } })
    expect(await discardStatement(operator, second)).toBeNull()
    expect([(await statusesOf(third))[0], await statusesOf(anew)]).toEqual(['unread', ['set-aside']])
  })

  test('is set aside again when that is restored', async ({ operator }) => {
    const first = await importForTest(operator, csvOf([again]))
    const second = await importForTest(operator, csvOf([again, { reference: 'second' }]))
    await discardStatement(operator, first)
    expect(await restoreStatement(operator, first)).toEqual([])
    expect([await statusesOf(first), (await statusesOf(second))[0]]).toEqual([['unread'], 'set-aside'])
    // The payment itself repeats another one.
    const third = await importForTest(operator, csvOf([again, { reference: 'third' }]))
    await discardStatement(operator, second)
    expect((await statusesOf(third))[0]).toBe('set-aside')
  })

  test('is set aside if it was imported meanwhile', async ({ operator }) => {
    const first = await importForTest(operator, csvOf([again, again]))
    await discardStatement(operator, first)
    const second = await importForTest(operator, csvOf([again, { reference: 'second' }]))
    expect(await restoreStatement(operator, first)).toEqual([])
    expect([await statusesOf(first), await statusesOf(second)]).toEqual([
      ['unread', 'unread'],
      ['set-aside', 'unread'],
    ])
    expect((await pageOf(second)).lines[0]).toMatchObject({ seen: { statementId: first, number: 1 } })
  })

  test('counts beside its twin when that repeats another', async ({ operator }) => {
    const cash = { bank: '', text: 'cash' }
    const first = await importForTest(operator, csvOf([cash]))
    const second = await importForTest(operator, csvOf([cash, cash]))
    await discardStatement(operator, second)
    expect(await restoreStatement(operator, second)).toEqual([])
    expect([await statusesOf(first), await statusesOf(second)]).toEqual([['unread'], ['set-aside', 'unread']])
  })

  test.for(['confirmed', 'set aside by hand'])('that was %s meanwhile, counts', async (how, { service, operator }) => {
    const payment = { reference: await service.announceDeposit('10'), bank: 'B-1' }
    const first = await importForTest(operator, csvOf([payment]))
    const second = await importForTest(operator, csvOf([payment, { reference: 'second' }]))
    await discardStatement(operator, first)
    await toItsEnd((detach) => startMatching(operator, second, detach))
    if (how === 'confirmed') await confirmForTest(operator, second)
    else await editLine(operator, second, 1, { act: 'set-aside', reason: 'asked the bank' })
    const before = (await statusesOf(second))[0]
    expect(await restoreStatement(operator, first)).toEqual([])
    expect([await statusesOf(first), (await statusesOf(second))[0]]).toEqual([['set-aside'], before])
    expect((await pageOf(first)).lines[0]).toMatchObject({ seen: { statementId: second, number: 1 } })
  })

  test('counts again if both are restored in another order', async ({ operator }) => {
    const first = await importForTest(operator, csvOf([again]))
    const second = await importForTest(operator, csvOf([again, { reference: 'second' }]))
    await discardStatement(operator, second)
    await discardStatement(operator, first)
    await restoreStatement(operator, second)
    expect((await statusesOf(second))[0]).toBe('unread')
    await restoreStatement(operator, first)
    expect([await statusesOf(first), (await statusesOf(second))[0]]).toEqual([['unread'], 'set-aside'])
  })

  test('stays set aside if it went back', async ({ operator }) => {
    const first = await importForTest(operator, csvOf([again]))
    const second = await importForTest(operator, csvOf([again, { ...again, amount: '-10.00' }]))
    await discardStatement(operator, first)
    expect((await pageOf(second)).lines[0]?.setAside?.reason).toBe(
      'The money went back: paid out again at line 3 of this file.',
    )
  })

  test('stays set aside if a person did that', async ({ operator }) => {
    const first = await importForTest(operator, csvOf([again]))
    const second = await importForTest(operator, csvOf([again, { reference: 'second' }]))
    await editLine(operator, second, 1, { act: 'put-back', reason: 'another payment' })
    await editLine(operator, second, 1, { act: 'set-aside', reason: 'asked the bank' })
    await discardStatement(operator, first)
    expect((await pageOf(second)).lines[0]?.setAside?.reason).toBe('asked the bank')
  })
})
