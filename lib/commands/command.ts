import type { Problem } from '#lib/contract/problem.ts'
import type { CommandKindName } from '#lib/kind-names.ts'
import { cleanReference } from '#lib/values/visible-text.ts'
import type { ApprovalOutcome, DraftApproval, WaitingApprovals } from './approvals/approval.ts'
import type { LockAhead } from './code.ts'

/** `as`: how the value is displayed. */
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

/** A stored draft: exactly the content that will be sent. */
export interface DraftView {
  readonly id: string
  readonly kind: CommandKindName
  readonly title: string
  readonly lines: readonly Line[]
  readonly consequence: string
  /** The act and the object: `Confirm deposit of 250.00 BZD`. */
  readonly button: string
  readonly expiresAt: string
  /** Safe to execute without a confirmation dialog. */
  readonly immediate: boolean
  readonly warning: string | null
  /** Text that the person must type to confirm. */
  readonly proof: Proof | null
  /** SHA-256 of the whole effect in hexadecimal; every journal event contains it. */
  readonly effect: string
  readonly limits: readonly DraftLimit[]
  /** Null if no approval is needed. */
  readonly approval: DraftApproval | null
  /** The author must use a passkey when sending. */
  readonly passkey: boolean
}

/** The person's use of a limit in the last 24 hours. */
export interface LimitUse {
  readonly kind: CommandKindName
  /** Which changes count: `amounts of 1,000.00 BZD or more`; empty: all. */
  readonly counting: string
  /** Decimal text in BZD. */
  readonly sum: { readonly used: string; readonly limit: string } | null
  readonly count: { readonly used: number; readonly limit: number } | null
  /** When the oldest counted change leaves the 24 hours (ISO 8601); null if none counts. */
  readonly lessAt: string | null
}

export interface DraftLimit extends LimitUse {
  /** Null if it fits. `fitsAt`: ISO 8601, null if it never fits. `approvable`: an approval can exceed the limit. */
  readonly beyond: { readonly fitsAt: string | null; readonly approvable: boolean } | null
}

/** The person types a part of the object, which prevents confirming the wrong one. */
export interface Proof {
  readonly label: string
  readonly expected: string
}

/** Ignores invisible characters. */
export const isProven = ({ expected }: Proof, typed: string): boolean =>
  typed.trim() !== '' && cleanReference(typed) === cleanReference(expected)

export interface Step {
  readonly word: string
  readonly place: 'behind' | 'now' | 'ahead'
}

export type Outcome =
  /** In progress now, here or in another tab. */
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
  | {
      readonly class: 'refused'
      /** False if nothing left the console. */
      readonly sent: boolean
      readonly title: string
      readonly advice: string
      readonly problem: Problem | null
      /** The next change of this person would exceed the limit too. */
      readonly limit?: true
    }
  /** The author withdrew it before anything changed. */
  | { readonly class: 'cancelled'; readonly title: string }
  /** The service accepted it and then failed for good. */
  | { readonly class: 'failed'; readonly title: string; readonly lines: readonly Line[] }
  /** No effect shows, but a request whose answer was lost can still take effect. */
  | { readonly class: 'no-effect'; readonly title: string; readonly advice: string }
  | { readonly class: 'changed'; readonly before: readonly Line[]; readonly now: readonly Line[] }
  | {
      readonly class: 'unknown'
      readonly checking: string
      /** What the person may or must not do meanwhile. */
      readonly advice: string
      /** What the last read showed, which is not conclusive. */
      readonly shows?: string
    }
  | StepUpOutcome
  | ApprovalOutcome

/**
 * A success that proves no effect. `under-way`: 202. `success`: neither proof nor contradiction. `unclear`: it
 * contradicts the change or cannot be read.
 */
export type AcceptedAnswer = 'under-way' | 'success' | 'unclear'

/** The service accepted the change, and no read has confirmed its effect. */
export interface AcceptedOutcome {
  readonly class: 'accepted'
  readonly answer: AcceptedAnswer
  /** Result of the latest read; before the first read, of the answer. Never the expected state. */
  readonly shows: string
  readonly isUnderWay: boolean
  readonly lines: readonly Line[]
  readonly steps: readonly Step[]
}

/** The change waits for a second factor; the service has changed nothing. */
export interface StepUpOutcome {
  readonly class: 'step-up'
  /**
   * `code`: from the authenticator. `enrolment`: no authenticator yet. `later`: verification is unavailable. `passkey`:
   * the policy requires it. `passkey-enrolment`: the person has none.
   */
  readonly need: 'code' | 'enrolment' | 'later' | 'passkey' | 'passkey-enrolment'
  readonly title: string
  readonly advice: string
  readonly rejected: boolean
  readonly triesLeft: number
  /** Seconds until the service accepts codes again; null if it does now. */
  readonly lockedSeconds: number | null
  /** Absent if it was not read. */
  readonly lockAhead?: LockAhead
  /** Digits of a code; null if not known. */
  readonly digits: number | null
  readonly problem: Problem | null
}

/** Changes of one object in this console's journal since a person read it. */
export interface Meanwhile {
  /** Latest first. */
  readonly changes: readonly MadeMeanwhile[]
  /** Number of changes that this person may not see. */
  readonly hidden: number
}

export interface MadeMeanwhile {
  readonly id: string
  readonly title: string
  readonly actorName: string
  /** ISO 8601: time of the effect; if `sure` is false, time of sending. */
  readonly at: string
  readonly sure: boolean
}

export interface CommandView {
  readonly id: string
  /** A {@link CommandKindName}, or a name that only another version of the console knows. */
  readonly kind: string
  /** For example `Confirm deposit of 250.00 BZD`. */
  readonly title: string
  readonly target: string
  readonly actorName: string
  readonly sentAt: string | null
  readonly settledAt: string | null
  /** Trace id of the service's answer; null if it had none. */
  readonly traceId: string | null
  readonly outcome: Outcome
  /** Next automatic read (ISO 8601); null if none is planned. */
  readonly nextReconcileAt: string | null
  /** False if the service has no read for the effect. */
  readonly readable: boolean
  /** The effect cannot be read (any more), so a person may record the outcome. */
  readonly settledByHand: boolean
  /** Kind of change that settles it manually under the policy; null if the policy has no rule. */
  readonly settleAs: CommandKindName | null
  /** Keys that it keeps although no effect showed, in words; only for people who may free them. */
  readonly keeps?: string | null
  readonly dismissible?: boolean
  /** Set if the facts had moved: what this console changed meanwhile. */
  readonly meanwhile?: Meanwhile
  readonly yours?: boolean
}

/** All authors' changes that need attention or are being watched, as one person may see them. */
export interface OpenChanges {
  /** Effects that showed late in the last 24 hours, latest first. */
  readonly late: readonly CommandView[]
  /** Unknown outcome, oldest first. */
  readonly seen: readonly CommandView[]
  /** No visible effect and not handled, oldest first. */
  readonly unhandled: readonly CommandView[]
  /** Number of other people's changes that this person may not see. */
  readonly unseen: OpenCounts
  /** Number of changes beyond those that were read. */
  readonly more: OpenCounts & { readonly late: boolean }
}

export type OpenCounts = Readonly<Record<'unknown' | 'accepted' | 'unhandled', number>>

export interface HomeChanges extends OpenChanges {
  /** Sent in the last 24 hours, newest first; `count` includes those not listed. */
  readonly lately: { readonly changes: readonly CommandView[]; readonly count: number }
  readonly approvals: WaitingApprovals
  /** In the policy's order. */
  readonly limits: readonly LimitUse[]
}

/** Shown once, from the only answer that carries it, and never stored. */
export type Once =
  | { readonly what: 'card-number'; readonly cardNumber: string }
  | { readonly what: 'totp-key'; readonly url: string; readonly barcode: string }

export type DraftReply =
  | { readonly ok: true; readonly draft: DraftView }
  | {
      readonly ok: false
      readonly fields: Readonly<Record<string, string>>
      readonly problem: Problem | null
      /** Id of the command that holds the lock. */
      readonly heldBy?: string
    }

export type CommandReply =
  | {
      readonly ok: true
      readonly command: CommandView
      readonly once?: Once | null
      /** Why the result differs from the request. */
      readonly notice?: string
      /** ISO 8601 end of the step-up grant, null if it ended; present only if it changed. */
      readonly verifiedUntil?: string | null
    }
  | { readonly ok: false; readonly problem: Problem }
