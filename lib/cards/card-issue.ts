import 'server-only'
import { sql } from 'kysely'
import { z } from 'zod'
import { refusalProblem } from '#lib/authorization/judge.ts'
import type { Line } from '#lib/commands/command.ts'
import { type Agreement, type Answered, equalsId, faultsOf, serviceCommand } from '#lib/commands/kind.ts'
import { ERASED } from '#lib/commands/row.ts'
import type { IssueAnswer } from '#lib/contract/cards.ts'
import { store } from '#lib/store/store.ts'
import { shortId } from '#lib/values/ids.ts'
import { cleanReference, visibleText } from '#lib/values/text.ts'
import {
  CARD_LINE,
  cardTypeFault,
  holderIdFault,
  LAST_FOUR_LINE,
  NUMBER_SHOWN_SECONDS,
  printedNameFault,
} from './card.ts'
import { issueCard } from './card-service.ts'
import {
  eraseOfCard,
  findUnblockedOf,
  insertCardType,
  insertIssuedCard,
  registerRefusal,
  visibleCardTypes,
} from './issued-cards.ts'

const typed = z.string().trim()
const id = z.string().overwrite(cleanReference)
const params = z.strictObject({ userId: id, cardType: typed, printedName: typed })

type Params = z.output<typeof params>

type Facts = Readonly<Record<'cardTypeName', string>>

const cardTypeLine = (cardType: string | number, name: string): Line => ({
  label: 'Card type',
  value: `${cardType} ${name}`.trim(),
  as: 'text',
})

const summary = ({ userId, cardType, printedName }: Params, { cardTypeName = '' }: Partial<Facts>): Line[] => [
  { label: 'Holder', value: userId, as: 'id' },
  cardTypeLine(cardType, cardTypeName),
  { label: 'Printed name', value: printedName, as: 'text' },
]

const letters = new Intl.Collator('en', { sensitivity: 'base', ignorePunctuation: true })

/** A card may have plain letters (Ü as U or UE) or, for another alphabet, a transliteration. */
function mayBePrinted(name: string, printed: string): boolean {
  const [one, other] = [name, printed].map((text) => text.replace(/æ/giu, 'a').replace(/(?<=[aou])e|(?<=a)a/giu, ''))
  return letters.compare(one ?? '', other ?? '') === 0 || /[^\p{sc=Latin}\p{sc=Zyyy}\p{M}]/u.test(name)
}

function compareAnswer({ params, data }: Answered<Params, Facts, IssueAnswer>): Agreement {
  const { userId, cardType, printedName, cardNumber, last4, status } = data
  const agrees =
    equalsId(params.userId)(userId) &&
    cardType === Number(params.cardType) &&
    mayBePrinted(params.printedName, printedName) &&
    status === 'UNISSUED' &&
    (cardNumber === null || cardNumber.replace(/\D/g, '').endsWith(last4))
  return agrees ? 'agrees' : 'contradicts'
}

const noNumber: Line = { label: 'Card number', value: 'not in the service’s answer', as: 'text' }

/** `POST cards`: an UNISSUED card. Only this answer has the card number, and only the requester receives it. */
export const cardIssue = serviceCommand<Params, Facts, IssueAnswer>({
  kind: 'card.issue',
  eraseText: (trx, { id }) => eraseOfCard(trx, { printed_name: ERASED }, sql`command_id = ${id}`),
  place: ({ id: command }) => ({ href: `/cards/issue?${new URLSearchParams({ command })}`, words: 'Open the issue' }),
  params,
  immediate: false,
  checkParams: ({ userId, cardType, printedName }) =>
    faultsOf({
      userId: holderIdFault(userId),
      cardType: cardTypeFault(cardType),
      printedName: printedNameFault(printedName),
    }),
  /** The service lists no cards of a user, so only the type's name can change. */
  async readFacts(session, { cardType }, _author, shown) {
    const refusal = await registerRefusal(session)
    if (refusal?.known === false && (shown?.cardTypeName ?? '') !== '') {
      return { ok: false, problem: refusalProblem(refusal) }
    }
    const types = (await visibleCardTypes(session)) ?? []
    const cardTypeName = types.find(({ card_type }) => card_type === Number(cardType))?.name ?? ''
    return { ok: true, value: { cardTypeName }, serviceTime: null }
  },
  optionalFacts: ['cardTypeName'],
  async warning(session, { userId }) {
    if ((await registerRefusal(session)) !== null) return null
    const cards = await findUnblockedOf(await store(), userId)
    const endings = cards.map(({ last4 }) => last4)
    if (endings.length === 0) return null
    return `This holder has ${endings.length === 1 ? 'a card' : 'cards'} from this console that ${endings.length === 1 ? 'is' : 'are'} not blocked here: ending ${endings.join(', ')}.`
  },
  parties: ({ userId }) => [userId],
  refusesParties: { field: 'userId', fault: 'The holder cannot issue their own card. Someone else must.' },
  target: ({ userId }) => userId.toLowerCase(),
  locks: ({ userId }) => [{ key: `issue:${userId.toLowerCase()}`, permanent: false }],
  describeLockConflict: () => ({
    field: 'userId',
    what: 'A card for this holder is already being issued, or its outcome is not known yet',
  }),
  title: ({ userId }) => `Issue a card for ${shortId(userId)}`,
  doneTitle: ({ userId }) => `Card issued for ${shortId(userId)}`,
  summary,
  factLines: ({ cardTypeName }) => [
    { label: 'Name of the card type', value: cardTypeName === '' ? 'not known here' : cardTypeName, as: 'text' },
  ],
  consequence: () =>
    `The full card number is shown once, for ${NUMBER_SHOWN_SECONDS} seconds. You can extend that once. Be ready to hand it over.`,
  send: (session, card) => issueCard(session, card),
  compareAnswer,
  describeSuccess(_given, _facts, data) {
    return {
      steps: [],
      lines: [
        { label: CARD_LINE, value: data.id, as: 'id' },
        { label: LAST_FOUR_LINE, value: data.last4, as: 'mono' },
        { label: 'State', value: data.status, as: 'card-state' },
        { label: 'Holder', value: data.userId, as: 'id' },
        cardTypeLine(data.cardType, data.cardTypeName),
        { label: 'Printed name', value: data.printedName, as: 'text' },
        ...(data.cardNumber === null ? [noNumber] : []),
      ],
    }
  },
  once: ({ cardNumber }) => (cardNumber === null ? null : { what: 'card-number', cardNumber }),
  async onSettled(trx, { commandId, actor, actorName, data }) {
    if (data === null) return
    await insertCardType(trx, data)
    const recorded_at = new Date().toISOString()
    await insertIssuedCard(trx, {
      id: data.id,
      last4: data.last4,
      user_id: data.userId,
      card_type: data.cardType,
      // The store cannot hold every character of a service text, and the card must not be lost for one.
      card_type_name: visibleText(data.cardTypeName),
      printed_name: visibleText(data.printedName),
      issuer: actor,
      issuer_name: actorName,
      issued_at: data.issuedAt ?? recorded_at,
      command_id: commandId,
      came: 'issued',
      recorded_by: actorName,
      recorded_at,
    })
  },
  reconcileScope: 'core:cards:create',
  checking: 'Only the holder can see whether the card exists.',
  unknownAdvice: 'Don’t issue another card to this holder until this is settled.',
})
