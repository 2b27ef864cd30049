import 'server-only'
import type { Kysely } from 'kysely'
import type { z } from 'zod'
import type { Problem } from '#lib/contract/problem.ts'
import type { Scope } from '#lib/contract/scopes.ts'
import type { CommandKindName } from '#lib/kind-names.ts'
import type { Result } from '#lib/service/answer.ts'
import type { Sent } from '#lib/service/send.ts'
import type { Session } from '#lib/session/session.ts'
import type { Tables, Trx } from '#lib/store/tables.ts'
import type { Agreement, Answered } from './agreement.ts'
import type { AcceptedAnswer, Line, Once, Outcome, Proof, Step } from './command.ts'
import type { CommandState, LockKey } from './command-table.ts'
import type { FieldFaults } from './field-faults.ts'
import type { PasskeyNeed } from './passkeys/kept-assertion.ts'
import type { ApprovalNeed } from './policy/approval-need.ts'
import type { Marks } from './policy/rules.ts'

export type AnyFacts = Readonly<Record<string, string>>

/** The result of a change: lines for the person, and steps if work continues at the service. */
export interface Description {
  readonly lines: readonly Line[]
  readonly steps: readonly Step[]
}

/** The end of a change that had no effect and can no longer have one. */
export type Without = Extract<Outcome, { class: 'refused' | 'failed' }>

/**
 * Result of reading the service for a command whose outcome is unknown. Only values that the interface specifies are
 * proof; absence and unknown names are not. `shows`: the present state in words.
 */
export type Reconciliation =
  | {
      readonly settled: false
      /** The state is still the old one, so after enough time the change counts as without effect. */
      readonly showsNoEffect: boolean
      readonly shows: string
      readonly isUnderWay?: boolean
      readonly description?: Description
    }
  | { readonly settled: true; readonly shows: string; readonly description: Description }
  | { readonly settled: true; readonly shows: string; readonly without: Without }

export interface SentCommand<Facts> {
  readonly facts: Facts
  /** The sender's user id at the service; null if unknown. */
  readonly actorUserId: string | null
  readonly sentAt: string
  /** Null unless the answer was a success without proof. */
  readonly answer: AcceptedAnswer | null
}

/** Nothing is sent to the service: `onSettled` writes the console's own record. */
export interface OwnAct {
  readonly kind: 'own'
  /** Set if a check under lock found that the act must not happen; then nothing is written. */
  readonly refusal?: { readonly title: string; readonly advice: string }
}

/** Input for the console's own rows, written in the transaction that settles the command. */
export interface Settlement<Params, Data> {
  readonly commandId: string
  readonly actor: string
  readonly actorName: string
  readonly params: Params
  /** Null if no response body could be read. */
  readonly data: Data | null
}

/**
 * `Facts` are strings exactly as the service returned them: the person saw them, and they must be the same at sending.
 */
interface Kind<Params, Facts extends AnyFacts> {
  readonly kind: CommandKindName
  readonly params: z.ZodType<Params>
  /** Safe to execute without a confirmation dialog. */
  readonly immediate: boolean
  /** The service also accepts people without two-factor enrolment; with REQUIRE_ENROLMENT the console does not. */
  readonly needsEnrolment: boolean
  /** The code is part of the request itself, not a step-up. */
  readonly takesCode: boolean
  checkParams(params: Params): FieldFaults
  /** `author`: the actor of the change, if another person reads. */
  readFacts(session: Session, params: Params, author?: string): Promise<Result<Facts>>
  checkFacts(params: Params, facts: Facts, session: Session): FieldFaults
  warning?(session: Session, params: Params, facts: Facts): Promise<string | null>
  /** Null if nothing must be typed. */
  proof?(params: Params, facts: Facts): Proof | null
  /** Input for the policy rules: amount and decision. */
  judgedBy?(params: Params, facts: Facts): { readonly amount: string; readonly decision?: 'refund' | 'release' }
  /** User ids of people who gain or lose by the change; they may not approve it. */
  parties?(params: Params, facts: Facts): readonly string[]
  /** Why a party may not make the change, and the field that shows it; absent if parties may. */
  readonly refusesParties?: { readonly field: string; readonly fault: string }
  /** Input for policy rules about earlier manual work in it. */
  marks?(db: Kysely<Tables>, params: Params): Promise<Marks>
  /** Actors who entered its data manually; they may not approve it. */
  enteredBy?(db: Kysely<Tables>, params: Params): Promise<readonly string[]>
  /** Requirements of the kind itself, independent of the policy. */
  takes?(params: Params): { readonly approval?: ApprovalNeed; readonly passkey?: PasskeyNeed }
  target(params: Params, session: Session): string
  locks(params: Params, session: Pick<Session, 'actor'>): readonly LockKey[]
  describeLockConflict(key: string, params: Params): { readonly field: string; readonly what: string }
  title(params: Params, facts: Facts): string
  /** A shorter button label than the title. */
  button?(params: Params, facts: Facts): string
  summary(params: Params, facts: Facts): readonly Line[]
  factLines(facts: Facts): readonly Line[]
  /** Facts that may be empty when the draft is made: filling them does not count as a change. */
  readonly learns?: readonly (keyof Facts & string)[]
  /** Kinds of change that alter these facts; absent: only the same kind. */
  readonly movedBy?: readonly CommandKindName[]
  consequence(params: Params, facts: Facts): string
  /**
   * Runs after confirmation, when the command waits for a code or has ended. A failure here does not affect the change.
   */
  afterConfirming?(session: Session, params: Params, state: CommandState): Promise<void>
  /** Runs after the author withdrew it; it can never be sent then. */
  onWithdrawn?(commandId: string): Promise<void>
  /** Scope for reading the effect; `own`: only the author can read it. */
  readonly reconcileScope: Scope | 'own'
  /** Null if the service has no read for it; then a person settles it. */
  readonly reconcile:
    | ((session: Session, params: Params, sent: SentCommand<Facts>) => Promise<Reconciliation | Problem>)
    | null
  readonly checking: string
  /** What the person may or must not do while the outcome is unknown. */
  readonly unknownAdvice: string
}

export interface ServiceKind<Params, Facts extends AnyFacts, Data> extends Kind<Params, Facts> {
  send(session: Session, params: Params, code: string): Promise<Sent<Data> | OwnAct>
  /** Only a success that agrees counts as done. */
  compareAnswer(answered: Answered<Params, Facts, Data>): Agreement
  describeSuccess(params: Params, facts: Facts, data: Data, serviceTime: string | null): Description
  /** Absent if the body or a read must prove the effect. */
  describeNoContent?(params: Params, facts: Facts): Description
  /** No read shows the effect, so a success that does not agree makes the outcome unknown. */
  readonly hasHiddenEffect?: true
  /** Reads details that exist only after the effect; null if there are none. Must not send a change. */
  describeFurther?(session: Session, params: Params, facts: Facts, data: Data | null): Promise<Description | null>
  /** Content that only this answer carries. */
  once?(data: Data): Once | null
  onSettled?(trx: Trx, keeping: Settlement<Params, Data>): Promise<void>
}

export interface RecordKind<Params, Facts extends AnyFacts> extends Kind<Params, Facts> {
  send(session: Session, params: Params, code: string): Promise<OwnAct>
  describeSuccess(params: Params, facts: Facts): Description
  onSettled?(trx: Trx, keeping: Settlement<Params, unknown>): Promise<void>
}

export type CommandKind<Params, Facts extends AnyFacts, Data> =
  | ServiceKind<Params, Facts, Data>
  | RecordKind<Params, Facts>
