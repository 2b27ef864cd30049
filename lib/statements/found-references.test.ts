import { sql } from 'kysely'
import { expect, vi } from 'vitest'
import { config } from '#lib/config/config.ts'
import { verifyJournal } from '#lib/journal/verify.ts'
import { migrations } from '#lib/store/migrations.ts'
import { store } from '#lib/store/store.ts'
import { underPolicy } from '#lib/testing/test-policy.ts'
import { confirmForTest, csvOf, importedAndRead, pageOf, statusesOf, toItsEnd } from '#lib/testing/test-statement.ts'
import { serviceTest } from '#lib/testing/test-worlds.ts'
import { editLine } from './edit-line.ts'
import { acceptFoundReferences, findFoundReferences } from './found-references.ts'
import { changeLine } from './line-table.ts'
import { startMatching } from './match-lines.ts'

const hook = vi.hoisted(() => ({ beforeLocking: async () => {} }))
vi.mock('./line-changes.ts', async (importOriginal) => {
  const actual = await importOriginal<typeof import('./line-changes.ts')>()
  return {
    ...actual,
    lockLine: async (...line: Parameters<typeof actual.lockLine>) => {
      await hook.beforeLocking()
      return await actual.lockLine(...line)
    },
  }
})

const test = serviceTest
  /** Accepts what is found, and looks the lines up again. */
  .extend('accept', ({ operator }) => async (id: string): Promise<boolean> => {
    const isAccepted = await acceptFoundReferences(operator, id, (await foundIn(id)).seal)
    await toItsEnd((detach) => startMatching(operator, id, detach))
    return isAccepted
  })

const foundIn = async (id: string) => await findFoundReferences(await store(), id)

test('accepts found references together, so that a run confirms them', async ({ service, operator, accept }) => {
  const [one, two] = [await service.announceDeposit('10'), await service.announceDeposit('10')]
  const id = await importedAndRead(operator, csvOf([{ text: `a ${one}` }, { text: `(${two})` }, { text: 'nothing' }]))
  expect(await foundIn(id)).toMatchObject({
    lines: [
      { number: 1, amount: '10.00', text: `a ${one}`, given: '', reference: one },
      { number: 2, reference: two },
    ],
  })
  expect((await pageOf(id)).found).toBe(2)
  expect(await accept(id)).toBe(true)
  const { lines, ready, found } = await pageOf(id)
  expect(lines.map(({ status, soughtFrom }) => `${status} ${soughtFrom}`)).toEqual([
    'ready found',
    'ready found',
    'unknown field',
  ])
  expect([ready.count, ready.edited, found]).toEqual([2, [], 0])
  expect(lines[0]?.soughtEntered?.by).toBe('operator@example.com')
  await confirmForTest(operator, id)
  expect(await statusesOf(id)).toEqual(['done', 'done', 'unknown'])
  expect((await verifyJournal(await store(), config())).faults).toEqual([])
})

test('finds only one queued deposit of the same amount', async ({ service, operator, accept }) => {
  const announce = (amount: string) => service.announceDeposit(amount)
  const [short, one, two, twice, done] = [
    await announce('12'),
    await announce('10'),
    await announce('10'),
    await announce('10'),
    await announce('10'),
  ]
  const body = { referenceId: done, bankReference: 'B-1' }
  await service.call('POST', '/api/v1/Transaction/deposit/confirm', {
    token: (await service.login('operator@example.com')).accessToken,
    body,
  })
  const id = await importedAndRead(
    operator,
    csvOf([
      { text: `another amount ${short}` },
      { text: `two references ${one} ${two}` },
      { text: `on two lines ${twice}` },
      { text: `on two lines ${twice}` },
      { text: `not queued ${done}` },
      { text: `no bank reference ${one}`, bank: '' },
    ]),
  )
  expect((await pageOf(id)).lines.map(({ suggestions }) => suggestions.length)).toEqual([1, 2, 1, 1, 1, 1])
  expect((await foundIn(id)).lines).toEqual([])
  expect((await pageOf(id)).found).toBe(0)
  expect(await accept(id)).toBe(false)
})

test('offers no text that may name a second deposit', async ({ service, operator }) => {
  const texts: { text: string }[] = []
  const deposits: string[] = []
  for (const [between, end = ''] of [
    ['Inv.2231; Kd.77812; vom.12.11.2026; Best.55012;'],
    ['word '.repeat(40)],
    [Array.from({ length: 40 }, (_unused, at) => `X${at + 1000}`).join(' ')],
    ['or', '/2'],
    ['card 9084003072183688 or'],
  ]) {
    const [one, other] = [await service.announceDeposit('10'), await service.announceDeposit('10')]
    texts.push({ text: `not ${one} ${between} ${other}${end}` })
    deposits.push(one)
  }
  for (const before of ['Ref:', 'Inv/2231/']) {
    const [broken, other] = [await service.announceDeposit('10'), await service.announceDeposit('10')]
    texts.push({ text: `${before}${broken.slice(0, 12)} ${broken.slice(12)} not ${other}` })
    deposits.push(other)
  }
  const [one, other] = [await service.announceDeposit('10'), await service.announceDeposit('10')]
  const id = await importedAndRead(operator, csvOf([...texts, { text: one, reference: `${other} 2` }]))
  const { lines } = await pageOf(id)
  for (const [at, reference] of [...deposits, one].entries()) {
    expect(lines[at]?.suggestions).toContainEqual(expect.objectContaining({ reference }))
  }
  expect((await foundIn(id)).lines).toEqual([])
})

test('offers a text with other words and numbers', async ({ service, operator }) => {
  const lines: { reference: string; text: string }[] = []
  const deposits: string[] = []
  for (const [reference, before, after] of [
    ['', 'Top-up ', ' Anna Payer account 12345678 thanks'],
    ['', 'GUTSCHRIFT SVWZ+', ' EREF+NOTPROVIDED IBAN+DE89370400440532013000 BIC+COBADEFFXXX ANNA PAYER'],
    ['', '/TRCD/00100/BENM//NAME/BZ PAYMENTS LTD/REMI/', '/ORDP//NAME/ANNA PAYER/ADDR/12 MAIN ST'],
    ['', 'SEPA INSTANT CREDIT 30-11-2026 14:22:31 ', ' ANNA PAYER NL91ABNA0417164300'],
    ['', 'INCOMING WIRE FT2433512345 JOHN SMITH 12 MAIN STREET BELMOPAN ', ''],
    ['2024/11/001', 'Top-up ', ''],
    ['TRF 30NOV', 'Top-up ', ''],
  ] as const) {
    const deposit = await service.announceDeposit('10')
    lines.push({ reference, text: `${before}${deposit}${after}` })
    deposits.push(deposit)
  }
  const id = await importedAndRead(operator, csvOf(lines))
  expect((await foundIn(id)).lines.map(({ reference }) => reference)).toEqual(deposits)
})

test('trusts no search of before', async ({ service, operator, accept }) => {
  const id = await importedAndRead(operator, csvOf([{ text: await service.announceDeposit('10') }]))
  await accept(id)
  const other = await importedAndRead(operator, csvOf([{ text: await service.announceDeposit('10') }]))
  const db = await store()
  await sql`ALTER TABLE statement_suggestion DROP COLUMN is_whole`.execute(db)
  await migrations['0033-whole-searches']?.up(db)
  expect(await statusesOf(id)).toEqual(['by-hand'])
  expect((await foundIn(other)).lines).toEqual([])
  await toItsEnd((detach) => startMatching(operator, other, detach, 'all'))
  expect((await foundIn(other)).lines).toHaveLength(1)
})

test('accepts nothing if the references have changed', async ({ service, operator }) => {
  const [one, two] = [await service.announceDeposit('10'), await service.announceDeposit('10')]
  const id = await importedAndRead(operator, csvOf([{ text: one }, { text: two }]))
  const { seal } = await foundIn(id)
  await editLine(operator, id, 2, { act: 'set-aside', reason: 'Of another company' })
  expect(await acceptFoundReferences(operator, id, seal)).toBe(false)
  expect(await statusesOf(id)).toEqual(['unknown', 'set-aside'])
})

test('leaves lines that were edited or set aside meanwhile', async ({ service, operator, admin }) => {
  const texts: string[] = []
  for (let at = 0; at < 4; at += 1) texts.push(await service.announceDeposit('10'))
  const id = await importedAndRead(operator, csvOf(texts.map((text) => ({ text }))))
  const { lines, seal } = await foundIn(id)
  expect(Object.keys(lines[0] ?? {}).sort()).toEqual(['amount', 'currency', 'given', 'number', 'reference', 'text'])
  hook.beforeLocking = async () => {
    hook.beforeLocking = async () => {}
    await editLine(admin, id, 2, { act: 'reference', reference: 'DEP~entered' })
    await editLine(admin, id, 3, { act: 'set-aside', reason: 'Of another company' })
    await changeLine(await store(), { statementId: id, number: 4 }, { set_aside_reason: 'Returned by the bank' })
  }
  expect(await acceptFoundReferences(operator, id, seal)).toBe(true)
  expect((await pageOf(id)).lines.map(({ sought, status }) => [sought, status])).toEqual([
    [texts[0], 'unread'],
    ['DEP~entered', 'unknown'],
    ['', 'set-aside'],
    ['', 'set-aside'],
  ])
})

test.for([
  ['foundInText', 'ready'],
  ['enteredByHand', 'done'],
] as const)(
  'the condition %s leaves a found reference %s',
  async ([condition, status], { service, operator, accept }) => {
    underPolicy({ kind: 'deposit.confirm', when: { [condition]: true }, approval: { by: 1 } })
    const id = await importedAndRead(operator, csvOf([{ text: await service.announceDeposit('10') }]))
    await accept(id)
    const { lines, ready } = await pageOf(id)
    expect([lines[0]?.needsApproval, ready.apart]).toEqual(status === 'ready' ? [true, 1] : [false, 0])
    await confirmForTest(operator, id)
    expect(await statusesOf(id)).toEqual([status])
  },
)
