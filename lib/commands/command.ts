import type { Problem } from '#lib/contract/problem.ts'
import type { CommandKindName } from '#lib/kind-names.ts'
import { cleanReference } from '#lib/values/visible-text.ts'
import type { ApprovalOutcome, DraftApproval, WaitingApprovals } from './approvals/approval.ts'
import type { LockAhead } from './code.ts'

/** One line of what is to be confirmed, or of what came of it. `as` says how the value is shown. */
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

/** A stored draft as the person sees it: exactly what will be sent, and what it does. */
export interface DraftView {
  readonly id: string
  readonly kind: CommandKindName
  readonly title: string
  readonly lines: readonly Line[]
  readonly consequence: string
  /** The act and the object: `Confirm deposit of 250.00 BZD`. */
  readonly button: string
  readonly expiresAt: string
  /** Without danger: it is executed right away, without a dialog. */
  readonly immediate: boolean
  /** What the person should think of before they confirm. */
  readonly warning: string | null
  /** What has to be typed to confirm. */
  readonly proof: Proof | null
  /** SHA-256 of its whole effect, in hexadecimal: every event of the journal has it. */
  readonly effect: string
  /** Those of the policy that it is subject to. */
  readonly limits: readonly DraftLimit[]
  /** Null where its person alone can send it. */
  readonly approval: DraftApproval | null
  /** Its person must be there with a passkey when it is sent. */
  readonly passkey: boolean
}

/** What its person has used of a limit in the last 24 hours. */
export interface LimitUse {
  readonly kind: CommandKindName
  /** Which changes of the kind count: `amounts of 1,000.00 BZD or more`; empty: all. */
  readonly counting: string
  /** Decimal text, in BZD. */
  readonly sum: { readonly used: string; readonly limit: string } | null
  readonly count: { readonly used: number; readonly limit: number } | null
  /** When the oldest of them counts no more (ISO 8601); null without any. */
  readonly lessAt: string | null
}

export interface DraftLimit extends LimitUse {
  /**
   * There is no room for this one before that time (ISO 8601), or never; null where there is room. `approvable`: with an approval
   * it can go beyond.
   */
  readonly beyond: { readonly fitsAt: string | null; readonly approvable: boolean } | null
}

/** Something of the object that the person types, so that the wrong one is not hit. */
export interface Proof {
  readonly label: string
  readonly expected: string
}

/** Whether the typed text is the one that was asked for; invisible characters do not count. */
export const isProven = ({ expected }: Proof, typed: string): boolean =>
  typed.trim() !== '' && cleanReference(typed) === cleanReference(expected)

/** A step of something that goes on by itself. */
export interface Step {
  readonly word: string
  readonly place: 'behind' | 'now' | 'ahead'
}

export type Outcome =
  /** Under way in this very moment, here or in another tab. */
  | { readonly class: 'sending' }
  /** A draft that nobody has confirmed: nothing was sent. */
  | { readonly class: 'prepared' }
  | {
      readonly class: 'done'
      readonly lines: readonly Line[]
      readonly steps: readonly Step[]
      /** It showed up after no effect had shown. */
      readonly late?: true
    }
  | AcceptedOutcome
  | {
      readonly class: 'refused'
      /** False when nothing left the console. */
      readonly sent: boolean
      readonly title: string
      readonly advice: string
      readonly problem: Problem | null
      /** It goes beyond a limit of its person, and so would the next one. */
      readonly limit?: true
    }
  /** Its author took it back before anything was changed. */
  | { readonly class: 'cancelled'; readonly title: string }
  /** It was taken on and then failed for good. */
  | { readonly class: 'failed'; readonly title: string; readonly lines: readonly Line[] }
  /** The service shows no effect, which is no certainty: an answer that was lost can still take effect. */
  | { readonly class: 'no-effect'; readonly title: string; readonly advice: string }
  | { readonly class: 'changed'; readonly before: readonly Line[]; readonly now: readonly Line[] }
  | {
      readonly class: 'unknown'
      readonly checking: string
      /** What the person must not do meanwhile, or may. */
      readonly advice: string
      /** What the last look showed that settles nothing. */
      readonly shows?: string
    }
  | StepUpOutcome
  | ApprovalOutcome

/**
 * An answer that proves no effect. `under-way`: 202. `success`: it neither proves nor contradicts the change. `unclear`: it contradicts
 * the change, or cannot be read.
 */
export type AcceptedAnswer = 'under-way' | 'success' | 'unclear'

/** The service took the change, and no read has confirmed its effect. */
export interface AcceptedOutcome {
  readonly class: 'accepted'
  readonly answer: AcceptedAnswer
  /** What the latest read showed; before the first one, what the answer says. Never the expected state. */
  readonly shows: string
  readonly isUnderWay: boolean
  readonly lines: readonly Line[]
  readonly steps: readonly Step[]
}

/** The change waits for a second factor; nothing has happened at the service. */
export interface StepUpOutcome {
  readonly class: 'step-up'
  /**
   * `code`: from the authenticator. `enrolment`: there is none yet. `later`: verification is out. `passkey`: the policy wants the
   * person there. `passkey-enrolment`: they have none.
   */
  readonly need: 'code' | 'enrolment' | 'later' | 'passkey' | 'passkey-enrolment'
  readonly title: string
  readonly advice: string
  /** A code, or a passkey, was just rejected. */
  readonly rejected: boolean
  readonly triesLeft: number
  /** No code is taken for so many seconds; null when one is. */
  readonly lockedSeconds: number | null
  /** What the next rejected code does; left out where nobody looked. */
  readonly lockAhead?: LockAhead
  /** How many digits a code has; null where that is not known. */
  readonly digits: number | null
  readonly problem: Problem | null
}

/** Changes of one object that this console's journal has since a person looked at it. */
export interface Meanwhile {
  /** The latest first. */
  readonly changes: readonly MadeMeanwhile[]
  /** How many more there are that this person may not see. */
  readonly hidden: number
}

export interface MadeMeanwhile {
  /** Of the change. */
  readonly id: string
  readonly title: string
  readonly actorName: string
  /** ISO 8601: when it took effect; where that is not sure, when it was sent. */
  readonly at: string
  /** It is known to have taken effect since. */
  readonly sure: boolean
}

/** A command and what is known of it. */
export interface CommandView {
  readonly id: string
  /** A {@link CommandKindName}, or a name that only another version of the console knows. */
  readonly kind: string
  /** What it is, in words: `Confirm deposit of 250.00 BZD`. */
  readonly title: string
  readonly target: string
  readonly actorName: string
  readonly sentAt: string | null
  readonly settledAt: string | null
  /** Of the service's answer; null where that had none, or none came. */
  readonly traceId: string | null
  readonly outcome: Outcome
  /** When the console looks next by itself (ISO 8601); null when it does not. */
  readonly nextReconcileAt: string | null
  /** False where the service lets nobody read whether it happened. */
  readonly readable: boolean
  /** Nobody can read whether it happened, or no longer does: a person who knows may say so. */
  readonly settledByHand: boolean
  /** Where the policy has rules for settling it by hand, the kind of change that does; else null. */
  readonly settleAs: CommandKindName | null
  /** What it keeps taken although no effect showed, in words; told to people who may free it. */
  readonly keeps?: string | null
  readonly dismissible?: boolean
  /** Of one whose facts had moved: what was changed here meanwhile. Told where it is looked at by itself. */
  readonly meanwhile?: Meanwhile
  /** Told to whoever looks at it: it is their own change. */
  readonly yours?: boolean
}

/** Everybody's changes that need attention or are being watched, as one person sees them. */
export interface OpenChanges {
  /** Those whose effect showed late, in the last 24 hours. The latest first. */
  readonly late: readonly CommandView[]
  /** Those whose end is not known. Oldest first. */
  readonly seen: readonly CommandView[]
  /** No effect shows, and nobody has handled them. Oldest first. */
  readonly unhandled: readonly CommandView[]
  /** How many there are of others that this person may not see. */
  readonly unseen: OpenCounts
  /** How many more there are than were read here, and whether there are more that showed late. */
  readonly more: OpenCounts & { readonly late: boolean }
}

export type OpenCounts = Readonly<Record<'unknown' | 'accepted' | 'unhandled', number>>

/** What Home keeps up to date. */
export interface HomeChanges extends OpenChanges {
  /** What the person sent in the last 24 hours, newest first, and how many that are. */
  readonly lately: { readonly changes: readonly CommandView[]; readonly count: number }
  readonly approvals: WaitingApprovals
  /** The person's limits, as the policy has them in its order. */
  readonly limits: readonly LimitUse[]
}

/** What is shown once, from the one answer that carries it, and is kept nowhere. */
export type Once =
  | { readonly what: 'card-number'; readonly cardNumber: string }
  | { readonly what: 'totp-key'; readonly url: string; readonly barcode: string }

/** What the command endpoint answers to a draft. */
export type DraftReply =
  | { readonly ok: true; readonly draft: DraftView }
  | {
      readonly ok: false
      readonly fields: Readonly<Record<string, string>>
      readonly problem: Problem | null
      /** The change that holds what this one wants. */
      readonly heldBy?: string
    }

/** What the command endpoint answers to an execution, and to a look at a command. */
export type CommandReply =
  | {
      readonly ok: true
      readonly command: CommandView
      readonly once?: Once | null
      /** Why it did not come as the person wanted. */
      readonly notice?: string
      /** Told when it changed: the ISO 8601 end of the grant that a code brought; null when there is none any more. */
      readonly verifiedUntil?: string | null
    }
  | { readonly ok: false; readonly problem: Problem }
