import type { Problem } from '#lib/contract/problem.ts'
import type { CommandKindName } from '#lib/kind-names.ts'
import { cleanReference } from '#lib/values/text.ts'
import { type Meaning, ownProperty } from '#lib/values/words.ts'
import type { LockAhead } from './code.ts'

export interface Line {
  readonly label: string
  readonly value: string
  readonly as:
    | 'text'
    | 'mono'
    | 'money'
    | 'reference'
    | 'id'
    | 'state'
    | 'card-state'
    | 'terminal-state'
    | 'case-state'
    | 'time'
}

/** A link to the page of a change's subject. */
export interface Place {
  readonly href: string
  readonly words: string
}

export interface DraftView {
  readonly id: string
  readonly kind: CommandKindName
  readonly title: string
  readonly lines: readonly Line[]
  readonly consequence: string
  readonly button: string
  readonly expiresAt: string
  readonly immediate: boolean
  readonly warning: string | null
  readonly proof: Proof | null
  /** SHA-256 in hexadecimal; every journal event contains it. */
  readonly effect: string
  readonly limits: readonly DraftLimit[]
  readonly approval: DraftApproval | null
  readonly passkey: boolean
  readonly approvedBy?: readonly string[]
}

export interface LimitUse {
  readonly kind: CommandKindName
  readonly counting: string
  /** Decimal text in BZD. */
  readonly sum: { readonly used: string; readonly limit: string } | null
  readonly count: { readonly used: number; readonly limit: number } | null
  /** ISO 8601: when the oldest counted change leaves the 24 hours. */
  readonly lessAt: string | null
}

export interface DraftLimit extends LimitUse {
  /** `fitsAt`: ISO 8601; null if it never fits. `approvable`: an approval lifts the limit. */
  readonly beyond: { readonly fitsAt: string | null; readonly approvable: boolean } | null
}

export interface Room extends Pick<DraftLimit, 'beyond'> {
  readonly sentence: string
}

/** Typing a part of the object prevents confirming the wrong one. */
export interface Proof {
  readonly label: string
  readonly expected: string
}

/** Pages show white space as one space, and keyboards compose accents in either way. */
const asTyped = (text: string): string => cleanReference(text).normalize('NFKC').replace(/\s+/g, ' ')

export const isProven = ({ expected }: Proof, typed: string): boolean =>
  typed.trim() !== '' && asTyped(typed) === asTyped(expected)

export interface Step {
  readonly word: string
  readonly place: 'behind' | 'now' | 'ahead'
}

export type Outcome =
  | { readonly class: 'sending' }
  | { readonly class: 'prepared' }
  | {
      readonly class: 'done'
      readonly lines: readonly Line[]
      readonly steps: readonly Step[]
      /** The effect showed after none had shown. */
      readonly late?: true
    }
  | AcceptedOutcome
  | RefusedOutcome
  | { readonly class: 'cancelled'; readonly title: string }
  /** The service accepted it and then failed for good. */
  | { readonly class: 'failed'; readonly title: string; readonly lines: readonly Line[] }
  /** No proof: a request whose answer was lost can still take effect. */
  | { readonly class: 'no-effect'; readonly title: string; readonly advice: string }
  | { readonly class: 'changed'; readonly before: readonly Line[]; readonly now: readonly Line[] }
  | {
      readonly class: 'unknown'
      readonly checking: string
      readonly advice: string
      readonly shows?: string
    }
  | StepUpOutcome
  | ApprovalOutcome

export interface RefusedOutcome {
  readonly class: 'refused'
  readonly sent: boolean
  readonly title: string
  readonly advice: string
  readonly problem: Problem | null
  readonly limit?: true
  /** Id of the change that stands in its way. */
  readonly heldBy?: string
}

export const refusedUnsent = (title: string, advice: string, problem: Problem | null = null): RefusedOutcome => ({
  class: 'refused',
  sent: false,
  title,
  advice,
  problem,
})

/** `under-way`: 202. `success`: neither proves nor contradicts. `unclear`: contradicts, or cannot be read. */
export type AcceptedAnswer = 'under-way' | 'success' | 'unclear'

export interface AcceptedOutcome {
  readonly class: 'accepted'
  readonly answer: AcceptedAnswer
  /** The latest read, or the answer before the first read. Never the expected state. */
  readonly shows: string
  readonly isUnderWay: boolean
  readonly lines: readonly Line[]
  readonly steps: readonly Step[]
}

export interface StepUpOutcome {
  readonly class: 'step-up'
  /** `later`: verification is unavailable. */
  readonly need: 'code' | 'enrolment' | 'later' | 'passkey' | 'passkey-enrolment'
  readonly title: string
  readonly advice: string
  readonly rejected: boolean
  readonly triesLeft: number
  /** Null if codes are accepted now. */
  readonly lockedSeconds: number | null
  readonly lockAhead?: LockAhead
  readonly digits: number | null
  readonly problem: Problem | null
}

export interface ConcurrentChanges {
  readonly changes: readonly ConcurrentChange[]
  readonly hidden: number
}

export interface ConcurrentChange {
  readonly id: string
  readonly title: string
  readonly actorName: string
  /** ISO 8601: time of the effect if `sure`, else of sending. */
  readonly at: string
  readonly sure: boolean
}

export interface CommandView {
  readonly id: string
  /** A {@link CommandKindName}, or a name from another version of the console. */
  readonly kind: string
  readonly title: string
  readonly doneTitle: string
  readonly target: string
  readonly actorName: string
  readonly sentAt: string | null
  readonly settledAt: string | null
  readonly traceId: string | null
  readonly outcome: Outcome
  /** ISO 8601; null if no read is scheduled. */
  readonly nextReconcileAt: string | null
  readonly readable: boolean
  readonly settledByHand: boolean
  readonly settleAs: CommandKindName | null
  /** For {@link settleAs}; null if it could not be read. */
  readonly settleRoom?: readonly Room[] | null
  /** Only for people who may free the keys. */
  readonly keeps?: string | null
  readonly dismissible?: boolean
  /** In place of what others may do. */
  readonly partyFault?: string
  /** Set if the facts changed. */
  readonly meanwhile?: ConcurrentChanges
  readonly yours?: boolean
  /** Its author asked for approval, and it ended unsent. */
  readonly mayAskAgain?: true
  /** What its author confirms, once it is approved. */
  readonly approved?: Pick<DraftView, 'lines' | 'consequence' | 'button' | 'effect'>
}

export interface OpenChanges {
  readonly late: readonly CommandView[]
  readonly seen: readonly CommandView[]
  readonly unhandled: readonly CommandView[]
  /** Counts of changes that this person may not see. */
  readonly unseen: OpenCounts
  readonly more: OpenCounts & { readonly late: boolean }
}

export type OpenCounts = Readonly<Record<'unknown' | 'accepted' | 'unhandled', number>>

export interface HomeChanges extends OpenChanges {
  readonly lately: { readonly changes: readonly CommandView[]; readonly count: number }
  readonly approvals: HomeApprovals
  readonly limits: readonly LimitUse[]
}

/** Shown once and never stored. */
export type Once =
  | { readonly what: 'card-number'; readonly cardNumber: string }
  | { readonly what: 'totp-key'; readonly url: string; readonly barcode: string }

export type DraftReply =
  | { readonly ok: true; readonly draft: DraftView }
  | {
      readonly ok: false
      readonly fields: Readonly<Record<string, string>>
      readonly problem: Problem | null
      readonly heldBy?: string
    }

export type CommandReply =
  | {
      readonly ok: true
      readonly command: CommandView
      readonly once?: Once | null
      readonly notice?: string
      /** ISO 8601 end of the step-up grant; present only if it changed. */
      readonly verifiedUntil?: string | null
    }
  | { readonly ok: false; readonly problem: Problem }

export interface DraftApproval {
  readonly need: string
  readonly rules: readonly string[]
  /** Why too few people known here could approve it; null if enough could. */
  readonly shortage: string | null
  /** Decimal text in BZD. */
  readonly amount: string | null
  readonly hours: number
  /** Of an earlier request that ended. */
  readonly reason?: string
}

export interface ApprovalOutcome {
  readonly class: 'approval'
  readonly reason: string
  readonly needed: number
  readonly approvedBy: readonly { readonly name: string; readonly at: string; readonly reason: string }[]
  /** ISO 8601; not sent afterwards. */
  readonly expiresAt: string
  /** ISO 8601. Absent in requests of older versions, like `need`. */
  readonly askedAt?: string
  readonly need?: string
  /** What its author must acknowledge before it is sent. */
  readonly changedFacts?: ChangedFacts
  /** Approved, but an approver must first read the facts with this mark. */
  readonly rereadOf?: string
}

/** Facts that moved since the request without voiding it. */
export interface ChangedFacts {
  readonly before: readonly Line[]
  readonly now: readonly Line[]
  /** SHA-256 in hexadecimal: names exactly these facts. */
  readonly mark: string
}

export interface WaitingApprovals {
  readonly toDecide: readonly CommandView[]
  readonly own: readonly CommandView[]
  /** By others, in the last 24 hours. */
  readonly endedUnsent: readonly CommandView[]
}

export interface HomeApprovals extends WaitingApprovals {
  /** How long those have waited whose reminder is due, by id. */
  readonly overdue: Readonly<Record<string, string>>
}

export const approvalViews = ['waiting', 'requested', 'decided'] as const

/** `waiting`: what the person may decide. `asked`: their requests. `decided`: with a decision, or ended. */
export type ApprovalViewName = (typeof approvalViews)[number]

/** `approved`: not sent yet. `ended`: not sent for another reason, for example because the facts changed. */
export const requestStatuses = ['waiting', 'approved', 'sent', 'declined', 'expired', 'cancelled', 'ended'] as const

export type RequestStatus = (typeof requestStatuses)[number]

export interface GivenDecision {
  readonly by: string
  readonly approves: boolean
  readonly reason: string
  readonly at: string
}

export interface RequestRow extends Pick<CommandView, 'id' | 'kind' | 'title' | 'target' | 'actorName' | 'outcome'> {
  /** Decimal text in BZD; null if no money moves. */
  readonly amount: string | null
  readonly reason: string
  readonly askedAt: string
  readonly expiresAt: string
  readonly status: RequestStatus
  readonly needed: number
  readonly decisions: readonly GivenDecision[]
  readonly endedAt: string | null
  /** For example `3 h`, once the reminder is due. */
  readonly overdue: string | null
}

/** Neither approved by enough people nor expired. */
export const isUndecidedView = (view: Pick<CommandView, 'outcome'>): boolean =>
  view.outcome.class === 'approval' && !isApprovedView(view) && Date.parse(view.outcome.expiresAt) > Date.now()

export const isApprovedView = ({ outcome }: Pick<CommandView, 'outcome'>): boolean =>
  outcome.class === 'approval' && outcome.approvedBy.length >= outcome.needed && outcome.rereadOf === undefined

export interface WaitingState {
  readonly toDecide: readonly string[]
  /** Of these, those whose reminder is due. */
  readonly overdue: readonly string[]
  readonly approved: readonly string[]
  readonly endedUnsent: readonly string[]
  readonly attention: number
}

/** `party`: gains or loses by it. `entered`: entered its data. `unknown-person`: has no known user id. */
export const decisionRefusalReasons = ['author', 'party', 'entered', 'scope', 'unknown-person'] as const

export type DecisionRefusalReason = (typeof decisionRefusalReasons)[number]

interface Words {
  readonly word: string
  readonly meaning: Meaning
}

const words: Readonly<Record<string, Words>> = {
  draft: { word: 'Prepared', meaning: 'neutral' },
  awaiting_approval: { word: 'Waiting for approval', meaning: 'attention' },
  approved: { word: 'Approved', meaning: 'good' },
  declined: { word: 'Declined', meaning: 'attention' },
  sent: { word: 'Sent', meaning: 'working' },
  challenged: { word: 'Waiting for a code', meaning: 'attention' },
  done: { word: 'Done', meaning: 'good' },
  accepted: { word: 'Not confirmed yet', meaning: 'working' },
  refused: { word: 'Not done', meaning: 'attention' },
  unknown: { word: 'Not known yet', meaning: 'unknown' },
  applied: { word: 'Found done', meaning: 'good' },
  not_applied: { word: 'No effect found', meaning: 'attention' },
  closed: { word: 'Not sent', meaning: 'neutral' },
  cancelled: { word: 'Cancelled by its author', meaning: 'neutral' },
  erased: { word: 'Text erased', meaning: 'neutral' },
}

export const commandStateWords = (state: string): Words =>
  ownProperty(words, state) ?? { word: state, meaning: 'neutral' }

/** In progress, waiting for a code, or perhaps just confirmed. */
const UNDER_WAY_MS = 2_500
const AFTER_RECONCILE_MS = 400
const DUE_MS = 1_000
/** No read is scheduled; viewing the page triggers one. */
const UNWATCHED_MS = 5_000
/** A late effect is possible for a day, but rare. */
const LONG_OPEN_MS = 60_000

const APPROVAL_MS = 60_000

/** Milliseconds until the next read; null if the outcome is final. */
export function nextReadMs({ outcome, nextReconcileAt, settledByHand }: CommandView): number | null {
  if (outcome.class === 'sending' || outcome.class === 'step-up' || outcome.class === 'prepared') return UNDER_WAY_MS
  if (outcome.class === 'approval') return APPROVAL_MS
  if (outcome.class !== 'accepted' && outcome.class !== 'unknown' && outcome.class !== 'no-effect') return null
  if (nextReconcileAt !== null) return Math.max(DUE_MS, Date.parse(nextReconcileAt) - Date.now() + AFTER_RECONCILE_MS)
  return outcome.class === 'no-effect' || settledByHand ? LONG_OPEN_MS : UNWATCHED_MS
}
