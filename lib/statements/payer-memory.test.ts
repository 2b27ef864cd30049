import { describe, expect } from 'vitest'
import { readCommand } from '#lib/commands/reconcile.ts'
import { config } from '#lib/config/config.ts'
import { putPerProcess } from '#lib/config/per-process.ts'
import type { Transaction } from '#lib/contract/transactions.ts'
import { erasePayerMemory, payerKey, rememberPayer } from '#lib/deposits/payer-memory.ts'
import { inTransaction, store } from '#lib/store/store.ts'
import { dumpStore } from '#lib/testing/dump-store.ts'
import { underPolicy } from '#lib/testing/test-policy.ts'
import { confirmForTest, importedAndRead, MAPPING, pageOf, statusesOf, toItsEnd } from '#lib/testing/test-statement.ts'
import { serviceTest } from '#lib/testing/test-worlds.ts'
import { readTransaction } from '#lib/transactions/transaction-service.ts'
import { draftByHand } from './confirm-lines.ts'
import { editLine } from './edit-line.ts'
import { findFoundReferences } from './found-references.ts'
import { startMatching } from './match-lines.ts'
import { resultsFile } from './results-csv.ts'
import { discardStatement } from './statement-list.ts'
import { searchWallets } from './suggestions.ts'

const CONFIRM = '/api/v1/Transaction/deposit/confirm'
const ANA = '00000000-0000-4000-8000-000000000011'
const BEN = '00000000-0000-4000-8000-000000000012'
/** As a bank writes it. */
const PAYER = 'BZ12 atlb 0000-4711-0815'
const OTHER = '9900112233'
const DAY = /^\d{4}-\d\d-\d\d$/

const test = serviceTest
  .extend('statementOf', ({ operator }) => (payments: readonly Payment[]): Promise<string> => {
    const rows = payments.map(({ reference = '', amount = '10.00', text = '', payer = PAYER }) => {
      counted += 1
      return [reference, amount, `PAY-${process.pid}-${counted}`, text, payer].join(',')
    })
    const bytes = Buffer.from(['Ref,Amount,Bank ref,Text,Account', ...rows].join('\n'))
    return importedAndRead(operator, bytes, { ...MAPPING, payerAccount: 4 })
  })
  .extend('depositOf', ({ service }) => async (email: string, amount = 10): Promise<string> => {
    const { accessToken: token } = await service.login(email)
    const { data } = await service.call('POST', '/api/v1/Transaction/deposit', { token, body: { amount, note: '' } })
    return String(data?.referenceId)
  })
  /** Confirms a deposit from a statement line; answers the statement. */
  .extend('confirmed', ({ operator, statementOf, depositOf }) => async (payer = PAYER, email = 'ana@example.com') => {
    const id = await statementOf([{ reference: await depositOf(email), payer }])
    await confirmForTest(operator, id)
    expect(await statusesOf(id)).toEqual(['done'])
    return id
  })
  .extend('historyReads', ({ service }) => (user = ANA) => {
    return service.arrived('GET', `/api/v1/Transaction/account/${user}`)
  })

interface Payment {
  readonly reference?: string
  readonly amount?: string
  readonly text?: string
  readonly payer?: string
}

let counted = 0

const payments = async () => await (await store()).selectFrom('payer_payment').selectAll().execute()
const suggestedOf = async (id: string) => (await pageOf(id)).lines.map(({ suggestions }) => suggestions)

describe('learning', () => {
  test('counts each confirmation once, also after replays', async ({ operator, confirmed }) => {
    const { lines } = await pageOf(await confirmed())
    const command_id = lines[0]?.commandId ?? ''
    const learnt = [{ command_id, payer: payerKey(PAYER), wallet: ANA, day: expect.stringMatching(DAY) }]
    expect(await payments()).toEqual(learnt)
    const db = await store()
    for (let n = 0; n < 2; n += 1) await inTransaction(db, (trx) => rememberPayer(trx, command_id))
    await readCommand(operator, command_id, true)
    expect(await payments()).toEqual(learnt)
  })

  test('waits until an unknown outcome is settled as done', async ({ service, operator, statementOf, depositOf }) => {
    const id = await statementOf([{ reference: await depositOf('ana@example.com') }])
    await service.fault('POST', CONFIRM, 'drop-after', 1)
    await confirmForTest(operator, id)
    expect([await statusesOf(id), await payments()]).toEqual([['open'], []])
    const commandId = (await pageOf(id)).lines[0]?.commandId ?? ''
    await readCommand(operator, commandId, true)
    await readCommand(operator, commandId, true)
    expect([await statusesOf(id), (await payments()).length]).toEqual([['done'], 1])
  })

  test('learns nothing from a refused confirmation', async ({ service, operator, statementOf, depositOf }) => {
    const id = await statementOf([{ reference: await depositOf('ana@example.com') }])
    await service.fault('POST', CONFIRM, { status: 409, code: 'core::conflict', title: 'Not now' }, 1)
    await confirmForTest(operator, id)
    expect([await statusesOf(id), await payments()]).toEqual([['refused'], []])
  })

  test.for(['', 'NOTPROVIDED', '0000 0000', 'XXXX1234', `Rent of ${'9'.repeat(40)}`])(
    'learns nothing from the account %j',
    async (payer, { confirmed }) => {
      await confirmed(payer)
      expect(await payments()).toEqual([])
    },
  )

  test('a discarded statement’s confirmations stay learnt', async ({ operator, statementOf, depositOf, confirmed }) => {
    const id = await confirmed()
    expect(await discardStatement(operator, id)).toBeNull()
    await (await store()).deleteFrom('statement').where('id', '=', id).execute()
    await depositOf('ana@example.com')
    expect(await suggestedOf(await statementOf([{}]))).toMatchObject([[{ paidBefore: { count: 1 } }]])
  })
})

describe('suggesting', () => {
  test('names the wallet’s queued deposit, count and last day', async ({
    operator,
    statementOf,
    depositOf,
    confirmed,
  }) => {
    await confirmed('bz12-ATLB/0000 4711 0815')
    await (await store()).updateTable('payer_payment').set({ day: '2026-01-31' }).execute()
    await confirmed()
    const last = (await payments())
      .map(({ day }) => day)
      .sort()
      .at(-1)
    expect(last).not.toBe('2026-01-31')
    const reference = await depositOf('ana@example.com')
    await depositOf('ana@example.com', 11)
    const id = await statementOf([{}, { reference: 'DEP-OF-NOBODY' }])
    const paidBefore = { count: 2, last }
    const suggestion = { reference, foundIn: 'payer', state: 'QUEUED', debit: '10.00000000', paidBefore }
    expect(await suggestedOf(id)).toEqual([[suggestion], [suggestion]])
    expect(await statusesOf(id)).toEqual(['unknown', 'unknown'])
    expect(await confirmForTest(operator, id)).toBe('changed')
  })

  test('shows ties and chooses none', async ({ statementOf, depositOf, confirmed }) => {
    await confirmed()
    await confirmed(PAYER, 'ben@example.com')
    const tied = [await depositOf('ana@example.com'), await depositOf('ben@example.com')].sort()
    const id = await statementOf([{}])
    const [suggestions = []] = await suggestedOf(id)
    expect(suggestions.map(({ reference }) => reference)).toEqual(tied)
    const { lines, found } = await pageOf(id)
    expect([lines[0]?.sought, found]).toEqual(['', 0])
  })

  test('is no part of the found references', async ({ statementOf, depositOf, confirmed }) => {
    await confirmed()
    await depositOf('ana@example.com')
    const id = await statementOf([{}])
    expect((await suggestedOf(id))[0]).toHaveLength(1)
    expect((await findFoundReferences(await store(), id)).lines).toEqual([])
  })

  test('suggests nothing for another or a written account', async ({
    statementOf,
    depositOf,
    confirmed,
    historyReads,
  }) => {
    await confirmed()
    await depositOf('ana@example.com')
    const before = await historyReads()
    const id = await statementOf([{ payer: OTHER }, { payer: OTHER, text: PAYER }, { payer: '', reference: PAYER }])
    expect(await suggestedOf(id)).toEqual([[], [], []])
    expect(await historyReads()).toBe(before)
  })

  test('ignores the account of MT940, where payers write, too', async ({
    operator,
    statementOf,
    depositOf,
    confirmed,
  }) => {
    const id = await statementOf([{ reference: await depositOf('ana@example.com') }])
    const db = await store()
    await db.updateTable('statement').set({ format: 'mt940' }).where('id', '=', id).execute()
    await confirmForTest(operator, id)
    expect([await statusesOf(id), await payments()]).toEqual([['done'], []])
    await confirmed()
    await depositOf('ana@example.com')
    const other = await statementOf([{}])
    await db.updateTable('statement').set({ format: 'mt940' }).where('id', '=', other).execute()
    await editLine(operator, other, 1, { act: 'look' })
    expect(await suggestedOf(other)).toEqual([[]])
  })

  test('prefers a reference in the text', async ({ statementOf, depositOf, confirmed, historyReads }) => {
    await confirmed()
    const [text] = [await depositOf('ana@example.com'), await depositOf('ana@example.com')]
    const before = await historyReads()
    expect(await suggestedOf(await statementOf([{ text }]))).toMatchObject([[{ reference: text, foundIn: 'text' }]])
    expect(await historyReads()).toBe(before)
  })

  test('reads a wallet once per run, and again after 429', async ({
    service,
    statementOf,
    depositOf,
    confirmed,
    historyReads,
  }) => {
    await confirmed()
    await depositOf('ana@example.com')
    const path = `/api/v1/Transaction/account/${ANA}`
    const before = await historyReads()
    await statementOf([{}, {}, {}])
    expect(await historyReads()).toBe(before + 1)
    const busy = { status: 429, code: 'core::rate::limited', title: 'Too many requests', retryAfter: 0 }
    await service.fault('GET', path, busy, 3)
    expect((await suggestedOf(await statementOf([{}])))[0]).toHaveLength(1)
  })

  test.for([
    [403, 0],
    [500, 0],
    [404, 1],
  ] as const)(
    'with a history answered by %i the line stays unknown',
    async ([status, suggested], { service, statementOf, depositOf, confirmed }) => {
      await confirmed()
      await confirmed(PAYER, 'ben@example.com')
      for (const email of ['ana@example.com', 'ben@example.com']) await depositOf(email)
      const path = `/api/v1/Transaction/account/${ANA}`
      await service.fault('GET', path, { status, code: 'core::refused', title: 'No' }, 10)
      const id = await statementOf([{}, { payer: OTHER }])
      expect((await suggestedOf(id)).map(({ length }) => length)).toEqual([suggested, 0])
      expect([await statusesOf(id), (await pageOf(id)).work.ended]).toEqual([['unknown', 'unknown'], ''])
    },
  )

  test('suggests deposits to the wallet only, and at most ten', async ({ operator, depositOf, confirmed }) => {
    const id = await confirmed()
    const result = await readTransaction(operator, await depositOf('ana@example.com'))
    if (!result.ok) throw new Error('no deposit')
    const deposits = Array.from({ length: 11 }, (_unused, at) => ({ ...result.value, referenceId: `DEP-${at}` }))
    const suggested = async (queued: readonly Transaction[]) => {
      const queuedOf = async () => ({ ok: true, value: queued, serviceTime: null }) as const
      const searched = await searchWallets({ queuedOf }, { statementId: id, number: 1 }, () => true)
      return searched.ok && searched.found.length
    }
    const [sent, transfer] = [
      { ...result.value, toAccountId: BEN },
      { ...result.value, transactionType: 'P2P' },
    ]
    expect(await suggested([sent, transfer])).toBe(0)
    expect([await suggested(deposits.slice(1)), await suggested(deposits)]).toEqual([10, 0])
  })

  test('suggests nothing for an account that paid many wallets', async ({ statementOf, depositOf, confirmed }) => {
    const commandId = (await pageOf(await confirmed())).lines[0]?.commandId ?? ''
    const db = await store()
    const command = await db.selectFrom('command').selectAll().where('id', '=', commandId).executeTakeFirstOrThrow()
    for (let n = 1; n <= 10; n += 1) {
      const command_id = `many-${n}`
      await db
        .insertInto('command')
        .values({ ...command, id: command_id })
        .execute()
      const payment = {
        command_id,
        payer: payerKey(PAYER) ?? '',
        wallet: `00000000-0000-4000-8000-${900_000_000_000 + n}`,
        day: '2026-01-31',
      }
      await db.insertInto('payer_payment').values(payment).execute()
    }
    await depositOf('ana@example.com')
    expect(await suggestedOf(await statementOf([{}]))).toEqual([[]])
    await db.deleteFrom('payer_payment').where('command_id', '=', 'many-1').execute()
    expect((await suggestedOf(await statementOf([{}])))[0]).toHaveLength(1)
  })
})

test('an accepted suggestion is an entry by hand on record', async ({
  operator,
  statementOf,
  depositOf,
  confirmed,
}) => {
  underPolicy({ kind: 'deposit.confirm', when: { enteredByHand: true }, approval: { by: 1 } })
  await confirmed()
  const reference = await depositOf('ana@example.com')
  const id = await statementOf([{}])
  expect(await editLine(operator, id, 1, { act: 'accept', reference: await depositOf('ana@example.com', 12) })).toMatch(
    /no longer suggested/,
  )
  expect(await editLine(operator, id, 1, { act: 'accept', reference })).toBeNull()
  const [line] = (await pageOf(id)).lines
  expect(line).toMatchObject({ status: 'by-hand', sought: reference, soughtFrom: 'payer' })
  const drafted = await draftByHand(operator, id, 1)
  expect(drafted.ok && drafted.draft.approval).not.toBeNull()
  const db = await store()
  const edit = await db
    .selectFrom('command')
    .selectAll()
    .where('id', '=', line?.editId ?? '')
    .executeTakeFirst()
  expect(edit?.outcome).toContain('reference suggested by earlier payments accepted')
  expect((await resultsFile(id))?.text).toContain('accepted from earlier payments')
})

test('off: learns, suggests and reads nothing', async ({
  operator,
  statementOf,
  depositOf,
  confirmed,
  historyReads,
}) => {
  await confirmed()
  await depositOf('ana@example.com')
  const [suggested, before] = [await statementOf([{}]), await historyReads()]
  putPerProcess('config', { ...config(), payerMemory: false })
  await confirmed(OTHER)
  const id = await statementOf([{}])
  await toItsEnd((detach) => startMatching(operator, id, detach, 'all'))
  expect([await suggestedOf(suggested), await suggestedOf(id)]).toEqual([[[]], [[]]])
  expect([await historyReads(), (await payments()).length]).toEqual([before, 1])
})

test('erases one account or all, with its suggestions', async ({ operator, statementOf, depositOf, confirmed }) => {
  await confirmed()
  await confirmed(OTHER, 'ben@example.com')
  await depositOf('ana@example.com')
  const id = await statementOf([{}])
  const db = await store()
  expect(await erasePayerMemory(db, payerKey('BZ12ATLB000047110815'))).toBe(1)
  expect(await suggestedOf(id)).toEqual([[]])
  expect((await payments()).map(({ wallet }) => wallet)).toEqual([BEN])
  await editLine(operator, id, 1, { act: 'look' })
  expect(await suggestedOf(id)).toEqual([[]])
  expect([await erasePayerMemory(db, null), await payments()]).toEqual([1, []])
})

test('stores an account number in its statement line only', async ({ statementOf, depositOf, confirmed }) => {
  await confirmed()
  await depositOf('ana@example.com')
  await statementOf([{}])
  const dump = await dumpStore()
  expect(dump.get('payer_payment')).toHaveLength(1)
  const written = PAYER.replaceAll(/[^a-z0-9]/gi, '').toUpperCase()
  for (const [table, rows] of dump) {
    const known = rows.map(({ payer_account, ...row }) =>
      table === 'statement_line' ? row : { payer_account, ...row },
    )
    const text = JSON.stringify(known).toUpperCase()
    expect(text.includes(PAYER.toUpperCase()) || text.includes(written), table).toBe(false)
  }
})
