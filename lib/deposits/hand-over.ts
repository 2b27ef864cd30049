import 'server-only'
import { type Kysely, type Selectable, sql } from 'kysely'
import { z } from 'zod'
import { refusedToMake } from '#lib/authorization/judge.ts'
import { changes } from '#lib/authorization/table.ts'
import type { Line } from '#lib/commands/command.ts'
import {
  type ConsoleRefusal,
  type Description,
  type FieldFaults,
  faultsOf,
  type RecordCommand,
  recordCommand,
} from '#lib/commands/kind.ts'
import { whyNoRoom } from '#lib/commands/policy/room.ts'
import { ERASED } from '#lib/commands/row.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import type { Tables, Trx } from '#lib/store/tables.ts'
import { referenceFault } from '#lib/transactions/transaction.ts'
import { readTransaction } from '#lib/transactions/transaction-service.ts'
import { shownAmount } from '#lib/values/amount-text.ts'
import { sameAccount } from '#lib/values/ids.ts'
import { noteFault } from '#lib/values/text.ts'
import { timeInText } from '#lib/values/time.ts'
import { readTypedAmount } from '#lib/values/typed-amount.ts'
import { confirmFault, type TransferFact, transferFact } from './amounts.ts'
import { amountFaultWords, bankReferenceFault, type HandOver, placeOfDeposit, RECIPIENT_FAULT } from './deposit.ts'

type Row = Selectable<Tables['hand_over']>

const KIND = 'deposit.confirm'

/** Without those whose deposit was found confirmed or failed. */
const openIn = (db: Kysely<Tables>) =>
  db.selectFrom('hand_over').selectAll().where(sql<boolean>`NOT EXISTS (${SEEN_OVER})`)

const SEEN_OVER = sql`SELECT FROM state_seen seen
  WHERE seen.reference = hand_over.reference AND seen.state IN ('PROCESSING', 'PROCESSED', 'DISPUTED', 'FAIL')`

const findHandOver = async (db: Kysely<Tables>, reference: string): Promise<Row | null> =>
  (await openIn(db).where('reference', '=', reference).executeTakeFirst()) ?? null

/** Call it in the transaction that settles a confirmation. */
export async function endHandOver(trx: Trx, reference: string): Promise<void> {
  await trx.deleteFrom('hand_over').where('reference', '=', reference).execute()
}

function viewOf(row: Row, { actor }: Session): HandOver {
  const { reference, amount, from_name: from, to_name: to, at, reason, handed_back_at: handedBackAt } = row
  const { bank_reference: bankReference, statement_amount: statementAmount } = row
  const isColleague = row.to_actor === actor
  const sender = row.from_actor === actor ? 'sender' : null
  const reader = isColleague ? 'colleague' : sender
  const known = isColleague ? { bankReference, statementAmount } : { bankReference: '', statementAmount: '' }
  return { reference, amount, from, to, reader, at, reason, handedBackAt, known }
}

const maySee = async (session: Session): Promise<boolean> =>
  (await refusedToMake(session, changes['deposit.hand-over'])) === null

export async function handOversFor(session: Session): Promise<readonly HandOver[]> {
  if (!(await maySee(session))) return []
  const rows = await openIn(await store())
    .where(({ or, and, eb }) =>
      or([
        and([eb('to_actor', '=', session.actor), eb('handed_back_at', 'is', null)]),
        and([eb('from_actor', '=', session.actor), eb('handed_back_at', 'is not', null)]),
      ]),
    )
    .orderBy('at')
    .execute()
  return rows.map((row) => viewOf(row, session))
}

/** By reference. */
export async function handOversOf(
  session: Session,
  references: readonly string[],
): Promise<ReadonlyMap<string, HandOver>> {
  if (references.length === 0 || !(await maySee(session))) return new Map()
  const rows = await openIn(await store())
    .where('reference', 'in', references)
    .execute()
  return new Map(rows.map((row) => [row.reference, viewOf(row, session)]))
}

interface OfDeposit {
  readonly referenceId: string
}

/** The lock of `deposit.confirm`, so that neither begins while the other is written. */
const ofDeposit = {
  place: placeOfDeposit,
  immediate: true,
  target: ({ referenceId }) => referenceId,
  locks: ({ referenceId }) => [{ key: `deposit:${referenceId}`, permanent: false }],
  describeLockConflict: () => ({ field: 'referenceId', what: 'This deposit is already being confirmed' }),
} as const satisfies Partial<RecordCommand<OfDeposit, Readonly<Record<string, string>>>>

const referenceLine = ({ referenceId }: OfDeposit): Line => ({
  label: 'Reference',
  value: referenceId,
  as: 'reference',
})
const textLine = (label: string, value: string): Line[] => (value === '' ? [] : [{ label, value, as: 'text' }])

const handingOver = z.strictObject({
  referenceId: z.string(),
  to: z.string(),
  reason: z.string().trim().default(''),
  bankReference: z.string().trim().default(''),
  statementAmount: z.string().trim().default(''),
})

type HandOverParams = z.output<typeof handingOver>
type HandOverFacts = Readonly<
  Record<'state' | 'debit' | 'credit' | 'toAccountId' | 'toName' | 'noRoom' | 'open', string>
> &
  TransferFact

const noRoomWords: Readonly<Record<string, string>> = {
  self: 'You cannot hand it to yourself. Choose a colleague.',
  unknown: 'This person is not known here. Choose someone of the list.',
  scope: 'This person may not confirm deposits. Choose someone else.',
  limit: 'The limit of this person does not fit this deposit. Choose someone else.',
  party: RECIPIENT_FAULT,
}

function checkHandOver({ referenceId, to, reason, bankReference, statementAmount }: HandOverParams): FieldFaults {
  const amount = statementAmount === '' ? null : readTypedAmount(statementAmount)
  return faultsOf({
    referenceId: referenceFault(referenceId),
    to: to === '' ? 'Choose a colleague.' : null,
    reason: reason === '' ? null : noteFault(reason, ''),
    bankReference: bankReference === '' ? null : bankReferenceFault(bankReference),
    statementAmount: amount === null || amount.ok ? null : amountFaultWords[amount.fault],
  })
}

async function readHandOverFacts(session: Session, { referenceId, to }: HandOverParams) {
  const read = await readTransaction(session, referenceId)
  if (!read.ok) return read
  const { state, debit, credit, toAccountId } = read.value
  const db = await store()
  const known = await db.selectFrom('known_person').select('name').where('actor', '=', to).executeTakeFirst()
  const party = sameAccount(to, `sso:${toAccountId}`) ? 'party' : null
  const self = to === session.actor ? 'self' : null
  const noRoom = self ?? party ?? (await whyNoRoom(db, to, { kind: KIND, amount: debit })) ?? ''
  const open = alreadyWords(await findHandOver(db, referenceId))
  const facts = { state, debit, credit, toAccountId, toName: known?.name ?? '', noRoom, open }
  return { ...read, value: { ...facts, ...transferFact(read.value) } }
}

const alreadyWords = (row: Row | null): string =>
  row === null || row.handed_back_at !== null
    ? ''
    : `Already handed to ${row.to_name} by ${row.from_name} at ${timeInText(row.at)}.`

/** What the statements say, if one line alone names the deposit. */
async function findOnlyLine(db: Kysely<Tables>, reference: string): Promise<HandOver['known']> {
  const [line, ...others] = await db
    .selectFrom('statement_line as line')
    .innerJoin('statement', 'statement.id', 'line.statement_id')
    .where('discarded_at', 'is', null)
    .where('set_aside_reason', 'is', null)
    .where('verdict', '=', 'ready')
    .where('sought', '=', reference)
    .select(['bank_used as bankReference', 'amount as statementAmount'])
    .limit(2)
    .execute()
  return line === undefined || others.length > 0 ? { bankReference: '', statementAmount: '' } : line
}

export const depositHandOver = recordCommand<HandOverParams, HandOverFacts>({
  ...ofDeposit,
  kind: 'deposit.hand-over',
  async eraseText(trx, { id }) {
    await trx.updateTable('hand_over').set({ reason: ERASED }).where('command_id', '=', id).execute()
  },
  params: handingOver,
  checkParams: checkHandOver,
  readFacts: readHandOverFacts,
  checkFacts: (_params, facts) =>
    faultsOf({
      referenceId: confirmFault(facts) ?? (facts.open === '' ? null : facts.open),
      to: facts.noRoom === '' ? null : (noRoomWords[facts.noRoom] ?? facts.noRoom),
    }),
  parties: (_params, { toAccountId }) => [toAccountId],
  refusesParties: { field: 'referenceId', fault: RECIPIENT_FAULT },
  title: (_params, { debit, toName }) => `Hand deposit of ${shownAmount(debit)} BZD to ${toName}`,
  summary: ({ reason, ...input }, { debit, toName }) => [
    referenceLine(input),
    { label: 'Amount', value: debit, as: 'money' },
    ...textLine('To', toName),
    ...textLine('Reason', reason),
  ],
  factLines: ({ state, debit, toName }) => [
    { label: 'State', value: state, as: 'state' },
    { label: 'Amount', value: debit, as: 'money' },
    ...textLine('To', toName),
  ],
  consequence: () => 'Your colleague sees it on Home and decides. Nothing is confirmed.',
  async checkUnderLock(trx, { params }): Promise<ConsoleRefusal | null> {
    const open = alreadyWords(await findHandOver(trx, params.referenceId))
    return open === '' ? null : { title: open, advice: 'Nothing was changed.' }
  },
  describeSuccess: (input, { toName }): Description => ({
    steps: [],
    lines: [referenceLine(input), ...textLine('Handed to', toName)],
  }),
  async record(trx, { commandId, actor, actorName, params, facts: { debit, toName } }) {
    await sql`DELETE FROM hand_over WHERE EXISTS (${SEEN_OVER})`.execute(trx)
    const line = await findOnlyLine(trx, params.referenceId)
    const row = {
      command_id: commandId,
      from_actor: actor,
      from_name: actorName,
      to_actor: params.to,
      to_name: toName,
      amount: debit,
      bank_reference: params.bankReference || line.bankReference,
      statement_amount: params.statementAmount || line.statementAmount,
      reason: params.reason,
      at: new Date().toISOString(),
      handed_back_at: null,
    }
    await trx
      .insertInto('hand_over')
      .values({ reference: params.referenceId, ...row })
      .onConflict((conflict) => conflict.column('reference').doUpdateSet(row))
      .execute()
  },
})

/** `end`: what the author does to it; empty if there is nothing to end. */
type HandBackFacts = Readonly<Record<'from' | 'to' | 'at' | 'end', string>>

async function handBackFacts(db: Kysely<Tables>, reference: string, actor: string): Promise<HandBackFacts> {
  const row = await findHandOver(db, reference)
  const end = row === null ? '' : endBy(row, actor)
  return { from: row?.from_name ?? '', to: row?.to_name ?? '', at: row?.at ?? '', end }
}

function endBy({ from_actor, to_actor, handed_back_at }: Row, actor: string): 'take back' | 'hand back' | '' {
  if (from_actor === actor) return 'take back'
  return to_actor === actor && handed_back_at === null ? 'hand back' : ''
}

const handBackFault = ({ from, to, end }: HandBackFacts): string | null => {
  if (end !== '') return null
  return from === '' ? 'This deposit is not handed over any more.' : `Only ${from} and ${to} can end this.`
}

export const depositHandBack = recordCommand<OfDeposit, HandBackFacts>({
  ...ofDeposit,
  kind: 'deposit.hand-back',
  params: z.strictObject({ referenceId: z.string() }),
  async readFacts({ actor }, { referenceId }) {
    return { ok: true, serviceTime: null, value: await handBackFacts(await store(), referenceId, actor) }
  },
  checkParams: ({ referenceId }) => faultsOf({ referenceId: referenceFault(referenceId) }),
  checkFacts: (_params, facts) => faultsOf({ referenceId: handBackFault(facts) }),
  title: (_params, { from, to, end }) =>
    end === 'take back' ? `Take a deposit back from ${to}` : `Hand a deposit back to ${from}`,
  summary: (input) => [referenceLine(input)],
  factLines: ({ from, to, at }) => [
    ...textLine('From', from),
    ...textLine('To', to),
    ...(at === '' ? [] : [{ label: 'Handed over', value: at, as: 'time' } as const]),
  ],
  consequence: () => 'Nothing is confirmed.',
  async checkUnderLock(trx, { actor, params: { referenceId }, facts }) {
    const now = await handBackFacts(trx, referenceId, actor)
    if (now.end === facts.end && now.at === facts.at) return null
    return { title: handBackFault(now) ?? 'It was handed over again', advice: 'Nothing was changed.' }
  },
  describeSuccess: (input) => ({ steps: [], lines: [referenceLine(input)] }),
  async record(trx, { params: { referenceId }, facts: { end } }) {
    if (end === 'take back') return await endHandOver(trx, referenceId)
    const handed_back_at = new Date().toISOString()
    await trx.updateTable('hand_over').set({ handed_back_at }).where('reference', '=', referenceId).execute()
  },
})
