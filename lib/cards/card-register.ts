import 'server-only'
import { type Kysely, sql } from 'kysely'
import { z } from 'zod'
import type { Line, Outcome } from '#lib/commands/command.ts'
import { type FieldFaults, faultsOf, type RecordAct, recordCommand } from '#lib/commands/kind.ts'
import { findEffective } from '#lib/commands/queries.ts'
import { type CommandRow, type CommandState, ERASED } from '#lib/commands/row.ts'
import { findCommand, moveIn } from '#lib/commands/store.ts'
import { PARTY_FAULT } from '#lib/commands/view.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import type { Result } from '#lib/service/client.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import type { Tables, Trx } from '#lib/store/tables.ts'
import { shortId } from '#lib/values/ids.ts'
import { cleanReference, noteFault } from '#lib/values/text.ts'
import { ASK_HOW_KNOWN, CARD_LINE, cardIdFault, cardPlace, LAST_FOUR_LINE, last4Fault } from './card.ts'
import {
  eraseOfCard,
  findCardOfCommand,
  findIssuedCard,
  insertIssuedCard,
  markBlocked,
  registerRefusal,
} from './issued-cards.ts'

const typed = z.string().trim()
const id = z.string().overwrite(cleanReference)
const params = z.strictObject({ issueId: z.string(), cardId: id, last4: id, why: typed })

type Params = z.output<typeof params>

type CardRequest = Readonly<Record<'userId' | 'cardType' | 'printedName', string>>

/** `taken`: why it cannot be registered; empty if it can. */
type Facts = Readonly<Record<keyof CardRequest | 'taken', string>>

/** A card may exist although no answer named it. */
const MAY_HAVE_ISSUED: readonly CommandState[] = ['unknown', 'done', 'applied']

const notThere: Result<never> = { ok: false, problem: problemOf('service', { status: 404 }) }

async function readFacts(session: Session, { issueId, cardId }: Params): Promise<Result<Facts>> {
  const db = await store()
  const issue = await findCommand(db, issueId)
  if (issue === undefined || issue.kind !== 'card.issue') return notThere
  if ((await registerRefusal(session)) !== null) return notThere
  if (!MAY_HAVE_ISSUED.includes(issue.state as CommandState)) return notThere
  return { ok: true, value: { ...askedBy(issue), taken: await takenWords(db, issueId, cardId) }, serviceTime: null }
}

const askedBy = ({ params }: CommandRow): CardRequest => JSON.parse(params) as CardRequest

async function takenWords(db: Kysely<Tables>, issueId: string, cardId: string): Promise<string> {
  const [card, ofIssue] = [await findIssuedCard(db, cardId), await findCardOfCommand(db, issueId)]
  if (ofIssue !== undefined) return `This card is already on the register, ending ${ofIssue.last4}.`
  return card === undefined ? '' : 'This card is already on the register. The holder may have read out an older card.'
}

async function checkUnderLock(trx: Trx, { params: { issueId, cardId } }: RecordAct<Params, Facts>) {
  const issue = trx.selectFrom('command').select('id').where('id', '=', issueId).where('state', 'in', MAY_HAVE_ISSUED)
  if ((await issue.forNoKeyUpdate().executeTakeFirst()) === undefined) return SETTLED_MEANWHILE
  const title = await takenWords(trx, issueId, cardId)
  return title === '' ? null : { title, advice: 'Nothing was changed. Someone else changed it first.' }
}

const SETTLED_MEANWHILE = { title: 'The issue was settled meanwhile', advice: 'Nothing was changed. Check it again.' }

const registrationLines = ({ cardId, last4 }: Params, { userId, cardType, printedName }: CardRequest): Line[] => [
  { label: CARD_LINE, value: cardId, as: 'id' },
  { label: LAST_FOUR_LINE, value: last4, as: 'mono' },
  { label: 'Holder', value: userId, as: 'id' },
  { label: 'Card type', value: cardType, as: 'mono' },
  { label: 'Printed name', value: printedName, as: 'text' },
]

/** Also settles the issue as applied. */
async function record(
  trx: Trx,
  { commandId, actor, actorName, params: input, facts }: RecordAct<Params, Facts>,
): Promise<void> {
  const { issueId, cardId, last4, why } = input
  const { userId, cardType, printedName } = facts
  const outcome: Outcome = {
    class: 'done',
    steps: [],
    lines: [...registrationLines(input, facts), { label: `Recorded by ${actorName}`, value: why, as: 'text' }],
  }
  const issue = await moveIn(trx, issueId, {
    from: MAY_HAVE_ISSUED,
    to: 'applied',
    outcome: JSON.stringify(outcome),
    note: { answer: 'by hand', by: actor, byName: actorName, why, register: commandId },
  })
  if (issue === null) throw new Error(`command ${issueId} was settled by another process`)
  await insertIssuedCard(trx, {
    id: cardId,
    last4,
    user_id: userId,
    card_type: Number(cardType),
    card_type_name: '',
    printed_name: printedName,
    issuer: issue.actor,
    issuer_name: issue.actor_name,
    issued_at: issue.sent_at ?? issue.created_at,
    command_id: issueId,
    came: 'registered',
    recorded_by: actorName,
    recorded_at: new Date().toISOString(),
  })
  await markIfBlocked(trx, cardId)
}

/** The card may have been blocked by id before it was on the register. */
async function markIfBlocked(trx: Trx, cardId: string): Promise<void> {
  const block = await findEffective(trx, 'card.block', cardId)
  if (block === undefined) return
  const { reason = '' } = JSON.parse(block.params) as { reason?: string }
  await markBlocked(trx, cardId, { at: block.settled_at ?? block.created_at, by: block.actor_name, reason })
}

/** Records a card whose issue had no readable answer, as its holder reads it out. Nothing goes to the service. */
export const cardRegister = recordCommand<Params, Facts>({
  kind: 'card.register',
  settles: ({ issueId }) => issueId,
  eraseText: (trx, { target }, { texts }) =>
    eraseOfCard(trx, { printed_name: ERASED }, sql`lower(id) = lower(${target}) AND printed_name = ANY(${texts})`),
  place: cardPlace,
  params,
  immediate: true,
  checkParams: ({ cardId, last4, why }) =>
    faultsOf({ cardId: cardIdFault(cardId), last4: last4Fault(last4, true), why: noteFault(why, ASK_HOW_KNOWN) }),
  readFacts,
  checkFacts: (_params, { taken }): FieldFaults => (taken === '' ? {} : { cardId: taken }),
  parties: (_params, { userId }) => [userId],
  refusesParties: { field: 'cardId', fault: PARTY_FAULT },
  target: ({ cardId }) => cardId.toLowerCase(),
  locks: ({ issueId, cardId }) => [
    { key: `card:${cardId.toLowerCase()}`, permanent: false },
    { key: `register:${issueId}`, permanent: false },
  ],
  describeLockConflict: () => ({
    field: 'cardId',
    what: 'This card is already being changed, or an outcome is not known yet',
  }),
  title: ({ last4 }, { userId }) => `Register card ending ${last4} of ${shortId(userId)}`,
  doneTitle: ({ last4 }, { userId }) => `Card ending ${last4} of ${shortId(userId)} registered`,
  summary: registrationLines,
  factLines: ({ taken }) => [{ label: 'Register', value: taken === '' ? 'does not have the card' : taken, as: 'text' }],
  consequence: () => 'Adds the card to this console’s register. Nothing is sent to the service.',
  checkUnderLock,
  describeSuccess: (input, facts) => ({ steps: [], lines: registrationLines(input, facts) }),
  record,
})
