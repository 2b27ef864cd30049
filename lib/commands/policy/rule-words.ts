import type { DraftLimit, LimitUse } from '#lib/commands/command.ts'
import type { ApprovalNeed } from '#lib/commands/kind.ts'
import type { PolicyRule } from '#lib/config/policy.ts'
import { kindTable } from '#lib/kind-names.ts'
import { shownAmount } from '#lib/values/amount-text.ts'
import { timeInText } from '#lib/values/time.ts'
import { counted, formatCount } from '#lib/values/words.ts'
import type { LimitRule } from './limits.ts'

type Conditions = PolicyRule['when']

const decided = { refund: 'the sender is refunded', release: 'the money is released to the recipient' } as const

export function ruleSentence(rule: PolicyRule, reader: 'your' | 'the author’s' = 'your'): string {
  const { kind, when, limit, approval, passkey } = rule
  const { act } = kindTable[kind].policy
  if (limit !== undefined) {
    const counting = countedWords(when)
    const over = approval === undefined ? 'anything over is blocked' : `anything over needs ${approvalWords(approval)}`
    return `${act} is limited to ${limitWords(limit)} per person in 24 hours${counting === '' ? '' : `, counting ${counting}`}; ${over}.`
  }
  const needs = [
    ...(approval === undefined ? [] : [approvalWords(approval)]),
    ...(passkey ? [`${reader} passkey`] : []),
  ]
  const conditions = conditionsOf(when)
  return `${act} needs ${needs.join(' and ')}${conditions.length === 0 ? '' : ` if ${conditions.join(' and ')}`}.`
}

/** `rule 2 (dispute.resolve refund from 5,000.00 BZD)` */
export function ruleName({ kind, when, limit }: PolicyRule, at: number): string {
  const { decision, amountAtLeast } = when
  const terms = [
    ...(decision === undefined ? [] : [` ${decision}`]),
    ...(amountAtLeast === undefined ? [] : [` from ${shownAmount(amountAtLeast)} BZD`]),
    ...(when.enteredByHand || when.foundInText || when.freedByHand ? [' with references set here'] : []),
    ...(limit === undefined ? [] : [' beyond its limit']),
  ]
  return `rule ${at + 1} (${kind}${terms.join('')})`
}

function conditionsOf(conditions: Conditions): readonly string[] {
  const { decision, amountAtLeast, enteredByHand, foundInText, freedByHand } = conditions
  return [
    ...(decision === undefined ? [] : [decided[decision]]),
    ...(amountAtLeast === undefined ? [] : [`the amount is ${shownAmount(amountAtLeast)} BZD or more`]),
    ...(enteredByHand ? ['the reference was entered or accepted by hand'] : []),
    ...(foundInText ? ['the reference was found in a statement line'] : []),
    ...(freedByHand ? ['the bank reference was freed by hand'] : []),
  ]
}

const approvalWords = ({ by, scope, passkey, reread }: NonNullable<PolicyRule['approval']>): string =>
  needWords({ by, scopes: scope === undefined ? [] : [scope], passkey: passkey === true, administers: false, reread })

/** `2 approvals by people with core:cards:manage, each confirmed with a passkey`. */
function needWords({ by, scopes, passkey, administers, reread }: ApprovalNeed): string {
  const [count, person, each] = by === 1 ? ['one approval', 'someone', ''] : [`${by} approvals`, 'people', 'each ']
  const held = [...(administers ? ['administrator rights'] : []), ...scopes]
  const holder = held.length === 0 ? '' : ` by ${person} with ${held.join(' and ')}`
  return `${count}${holder}${passkey ? `, ${each}confirmed with a passkey` : ''}${reread ? ', and an approver to read later messages' : ''}`
}

export const needSentence = (need: ApprovalNeed): string => `This change needs ${needWords(need)}.`

/** `amounts of 1,000.00 BZD or more` */
export function countedWords({ decision, amountAtLeast }: Conditions): string {
  if (decision === undefined && amountAtLeast === undefined) return ''
  const what = decision === undefined ? 'amounts' : `${decision}s`
  return amountAtLeast === undefined ? what : `${what} of ${shownAmount(amountAtLeast)} BZD or more`
}

function limitWords({ sum, count }: LimitRule['limit']): string {
  const words = []
  if (sum !== undefined) words.push(`${shownAmount(sum)} BZD`)
  if (count !== undefined) words.push(counted(count, 'change'))
  return words.join(' and ')
}

export const NEVER_FITS = 'This change can never fit the limit.'

interface Found {
  readonly rule: Pick<LimitRule, 'when' | 'limit'>
  readonly used: { readonly sum: string; readonly count: number }
  readonly fitsAt: string | null
}

export function breachWords({ rule: { limit, when }, used, fitsAt }: Found): string {
  const parts = []
  if (limit.sum !== undefined) parts.push(`${shownAmount(used.sum)} of ${shownAmount(limit.sum)} BZD`)
  if (limit.count !== undefined) parts.push(`${formatCount(used.count)} of ${counted(limit.count, 'change')}`)
  const counting = countedWords(when)
  const room = fitsAt === null ? NEVER_FITS : `It fits from ${timeInText(fitsAt)}.`
  return `Sent in the last 24 hours: ${parts.join(' and ')}${counting === '' ? '' : `, counting ${counting}`}. ${room}`
}

/** `1,200.00 of 3,000.00 BZD, 2 of 5 changes` */
export function usedWords({ sum, count }: Pick<LimitUse, 'sum' | 'count'>): string {
  const words = []
  if (sum !== null) words.push(`${shownAmount(sum.used)} of ${shownAmount(sum.limit)} BZD`)
  if (count !== null) words.push(`${formatCount(count.used)} of ${counted(count.limit, 'change')}`)
  return words.join(', ')
}

export const limitSentence = (limit: Pick<LimitUse, 'sum' | 'count' | 'counting'>): string =>
  `Your limit in 24 hours: ${usedWords(limit)} used${limit.counting === '' ? '' : `, counting ${limit.counting}`}.`

/** `You may confirm 2,000.00 BZD more (limit 10,000.00 BZD in 24 hours).` `left`: decimal text; null without a sum. */
export function roomSentence({ kind, counting, sum, count, beyond }: DraftLimit, left: string | null): string {
  const limit = limitWords({ sum: sum?.limit, count: count?.limit })
  const act = kindTable[kind].label.split(' a ')[0]?.toLowerCase()
  const changes = count === null ? null : Math.max(0, count.limit - count.used)
  const more = left === null ? moreWords(changes ?? 0) : `${shownAmount(left)} BZD more${atMostWords(changes)}`
  const room = `You may ${act} ${more} (limit ${limit} in 24 hours`
  if (beyond === null) return `${room}${counting === '' ? '' : `, counting ${counting}`}).`
  return `Over your limit${counting === '' ? '' : ` for ${counting}`}. ${room}). ${overWords(beyond)}`
}

const moreWords = (changes: number): string => (changes === 0 ? 'no more' : `${formatCount(changes)} more`)

const atMostWords = (changes: number | null): string =>
  changes === null ? '' : `, in ${counted(changes, 'change')} at most`

function overWords({ fitsAt, approvable }: NonNullable<DraftLimit['beyond']>): string {
  if (approvable) return 'It needs approval: ask for it when you confirm.'
  return fitsAt === null ? `${NEVER_FITS} Ask your administrator.` : `It fits from ${timeInText(fitsAt)}.`
}
