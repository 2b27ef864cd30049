import 'server-only'
import { sql } from 'kysely'
import { z } from 'zod'
import { refusalProblem } from '#lib/authorization/judge.ts'
import type { Line } from '#lib/commands/command.ts'
import {
  compareFields,
  type Description,
  equals,
  equalsId,
  type FieldFaults,
  faultsOf,
  serviceCommand,
} from '#lib/commands/kind.ts'
import { findEffective } from '#lib/commands/queries.ts'
import { ERASED } from '#lib/commands/row.ts'
import { store } from '#lib/store/store.ts'
import { shortId } from '#lib/values/ids.ts'
import { cleanReference, noteFault } from '#lib/values/text.ts'
import { ASK_REASON, CARD_LINE, cardIdFault, cardPlace, LAST_FOUR_LINE, last4Fault } from './card.ts'
import { blockCard } from './card-service.ts'
import { eraseOfCard, findIssuedCard, markBlocked, registerRefusal } from './issued-cards.ts'

const typed = z.string().trim()
const id = z.string().overwrite(cleanReference)
const params = z.strictObject({ cardId: id, last4: id, reason: typed })

type Params = z.output<typeof params>

/** Empty if unknown or not visible. `register` is `hidden` if the console could not read the person's scopes. */
type Facts = Readonly<Record<'last4' | 'userId' | 'printedName' | 'blockedAt' | 'register', string>>

function checkFacts({ last4 }: Params, facts: Facts): FieldFaults {
  if (facts.last4 === '' || facts.last4 === last4) return {}
  return {
    last4:
      last4 === ''
        ? 'This console issued the card: enter its last four digits.'
        : 'The digits do not match this card. Check the id and digits with the holder.',
  }
}

const enteredLines = ({ cardId, last4, reason }: Params): Line[] => [
  { label: CARD_LINE, value: cardId, as: 'id' },
  last4 === ''
    ? { label: LAST_FOUR_LINE, value: 'not given', as: 'text' }
    : { label: LAST_FOUR_LINE, value: last4, as: 'mono' },
  { label: 'Reason', value: reason, as: 'text' },
]

const HIDDEN = 'hidden'
const NOT_READ = 'not read: scopes could not be read when it was prepared'

const known = ({ userId, printedName, register }: Facts): Line[] =>
  userId === ''
    ? [{ label: 'Holder', value: register === HIDDEN ? NOT_READ : 'not known here', as: 'text' }]
    : [
        { label: 'Holder', value: userId, as: 'id' },
        { label: 'Printed name', value: printedName, as: 'text' },
      ]

const blockedHere = ({ blockedAt, register }: Facts): Line =>
  blockedAt === ''
    ? { label: 'Blocked here', value: register === HIDDEN ? NOT_READ : 'no', as: 'text' }
    : { label: 'Blocked here', value: blockedAt, as: 'time' }

const blocked = (card: Params, facts: Facts): Description => ({
  steps: [],
  lines: [...enteredLines(card), ...known(facts), { label: 'State', value: 'BLOCKED', as: 'card-state' }],
})

export const cardBlock = serviceCommand<Params, Facts, unknown>({
  kind: 'card.block',
  place: cardPlace,
  eraseText: (trx, { target }, { texts }) =>
    eraseOfCard(trx, { block_reason: ERASED }, sql`lower(id) = lower(${target}) AND block_reason = ANY(${texts})`),
  params,
  immediate: false,
  checkParams: ({ cardId, last4, reason }) =>
    faultsOf({ cardId: cardIdFault(cardId), last4: last4Fault(last4, false), reason: noteFault(reason, ASK_REASON) }),
  async readFacts(session, { cardId }, _author, shown) {
    const db = await store()
    const [hidden, card, block] = await Promise.all([
      registerRefusal(session),
      findIssuedCard(db, cardId),
      findEffective(db, 'card.block', cardId),
    ])
    // Drafts may lack the register, and are compared without it: blocking must not wait.
    if (hidden?.known === false && shown?.register === '') return { ok: false, problem: refusalProblem(hidden) }
    const isHidden = hidden !== null || shown?.register === HIDDEN
    const seen = isHidden ? undefined : card
    const value = {
      // Others may be mistyped, and must not stop the block of a stolen card.
      last4: card?.came === 'issued' ? card.last4 : '',
      userId: seen?.user_id ?? '',
      printedName: seen?.printed_name ?? '',
      blockedAt: isHidden ? '' : (card?.blocked_at ?? block?.settled_at ?? ''),
      register: isHidden ? HIDDEN : '',
    }
    return { ok: true, value, serviceTime: null }
  },
  checkFacts,
  async warning(_session, { cardId, last4 }, { blockedAt, userId }) {
    if (blockedAt !== '') return 'This card was already blocked from this console. Blocking again changes nothing.'
    const card = userId === '' ? undefined : await findIssuedCard(await store(), cardId)
    if (card === undefined || card.last4 === last4) return null
    return `The register has ${card.last4}, as the holder read it out. Check the card id.`
  },
  parties: (_params, { userId }) => [userId],
  target: ({ cardId }) => cardId.toLowerCase(),
  locks: ({ cardId }) => [{ key: `card:${cardId.toLowerCase()}`, permanent: false }],
  describeLockConflict: () => ({
    field: 'cardId',
    what: 'This card is already being changed, or an outcome is not known yet',
  }),
  title: ({ cardId, last4 }) => `Block card ${last4 === '' ? shortId(cardId) : `ending ${last4}`}`,
  doneTitle: ({ cardId, last4 }) => `Card ${last4 === '' ? shortId(cardId) : `ending ${last4}`} blocked`,
  summary: (card, facts) => [...enteredLines(card), ...known(facts)],
  factLines: (facts) => [...known(facts), blockedHere(facts)],
  affectedBy: ['card.block', 'card.register'],
  consequence: () => 'The card can never pay again or be unblocked. The holder needs a new card.',
  send: (session, { cardId }) => blockCard(session, cardId),
  compareAnswer: ({ params: { cardId }, data }) =>
    compareFields(data, { id: equalsId(cardId), status: equals('BLOCKED') }, ['id', 'status']),
  describeSuccess: blocked,
  describeNoContent: blocked,
  onSettled: (trx, { actorName, params: { cardId, reason } }) =>
    markBlocked(trx, cardId, { at: new Date().toISOString(), by: actorName, reason }),
  reconcileScope: 'core:cards:manage',
  checking: 'Only the holder can see whether the card is blocked.',
  unknownAdvice: 'Ask the holder to check their app, then settle this below.',
})
