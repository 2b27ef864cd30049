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

/** What came of a change, in lines for the person and, where it goes on without them, steps. */
export interface Description {
  readonly lines: readonly Line[]
  readonly steps: readonly Step[]
}

/** How a change ended that had no effect, and never can have one any more. */
export type Without = Extract<Outcome, { class: 'refused' | 'failed' }>

/**
 * What a read of the service says about a command whose end is not known. Only what the interface gives proves anything: neither
 * absence nor a name that it does not give does. `shows`: the present state at the service, in words.
 */
export type Reconciliation =
  | {
      readonly settled: false
      /** The service can be seen to be as it was, so with time enough the change seems not to have happened. */
      readonly showsNoEffect: boolean
      readonly shows: string
      /** The service still works on the change. */
      readonly isUnderWay?: boolean
      readonly description?: Description
    }
  | { readonly settled: true; readonly shows: string; readonly description: Description }
  | { readonly settled: true; readonly shows: string; readonly without: Without }

/** A command that was sent, as its reconciler needs it. */
export interface SentCommand<Facts> {
  readonly facts: Facts
  /** The service's id of who sent it; null when that is not known. */
  readonly actorUserId: string | null
  readonly sentAt: string
  /** How the service answered where that was a success without proof; null after any other answer, and after none. */
  readonly answer: AcceptedAnswer | null
}

/** Nothing goes to the service: the change is one of the console's own records, which `onSettled` writes. */
export interface OwnAct {
  readonly kind: 'own'
  /** Why it does not happen after all, as found when nobody else could change it any more; then nothing is kept. */
  readonly refusal?: { readonly title: string; readonly advice: string }
}

/** What a command leaves in the console's own tables, in the transaction that settles it. */
export interface Settlement<Params, Data> {
  readonly commandId: string
  readonly actor: string
  readonly actorName: string
  readonly params: Params
  /** Null when no answer's body could be read. */
  readonly data: Data | null
}

/**
 * What all kinds of change have in common. `Facts` are strings exactly as the service gave them: what the person saw, and what must
 * still hold when the command is sent.
 */
interface Kind<Params, Facts extends AnyFacts> {
  readonly kind: CommandKindName
  readonly params: z.ZodType<Params>
  /** Without danger: executed right after its draft, without a dialog. */
  readonly immediate: boolean
  /** The service lets those pass who are not enrolled in two-factor security; with REQUIRE_ENROLMENT the console does not. */
  readonly needsEnrolment: boolean
  /** The code that comes with the execution is for the request itself, not for a step-up. */
  readonly takesCode: boolean
  /** What is wrong with the parameters alone. */
  checkParams(params: Params): FieldFaults
  /** `author`: the actor whose change it is, where somebody else reads them. */
  readFacts(session: Session, params: Params, author?: string): Promise<Result<Facts>>
  /** What is wrong with the parameters in the light of the facts. */
  checkFacts(params: Params, facts: Facts, session: Session): FieldFaults
  /** What the person should think of before they confirm. */
  warning?(session: Session, params: Params, facts: Facts): Promise<string | null>
  /** Null where nothing has to be typed. */
  proof?(params: Params, facts: Facts): Proof | null
  /** What the policy judges it by; left out where there is neither. */
  judgedBy?(params: Params, facts: Facts): { readonly amount: string; readonly decision?: 'refund' | 'release' }
  /** User ids of those who gain or lose by it: none of them approves it. */
  parties?(params: Params, facts: Facts): readonly string[]
  /** Why a party may not make the change, and at which field; left out if parties may. */
  readonly refusesParties?: { readonly field: string; readonly fault: string }
  /** What the policy may ask about people’s hands in it; left out where there is nothing of the kind. */
  marks?(db: Kysely<Tables>, params: Params): Promise<Marks>
  /** Actors who entered by hand what it is made of: none of them approves it. */
  enteredBy?(db: Kysely<Tables>, params: Params): Promise<readonly string[]>
  /** What a change of this kind asks for by itself, whatever the policy says. */
  takes?(params: Params): { readonly approval?: ApprovalNeed; readonly passkey?: PasskeyNeed }
  /** What the command is about, for lists. */
  target(params: Params, session: Session): string
  locks(params: Params, session: Pick<Session, 'actor'>): readonly LockKey[]
  /** Why a lock that somebody holds stops this command. */
  describeLockConflict(key: string, params: Params): { readonly field: string; readonly what: string }
  title(params: Params, facts: Facts): string
  /** What its button says, where that is less than the title above it. */
  button?(params: Params, facts: Facts): string
  summary(params: Params, facts: Facts): readonly Line[]
  factLines(facts: Facts): readonly Line[]
  /** Facts that are empty while they are not known: that one becomes known moves nothing. */
  readonly learns?: readonly (keyof Facts & string)[]
  /** Kinds of change that move its facts; those of its own kind alone where it is left out. */
  readonly movedBy?: readonly CommandKindName[]
  consequence(params: Params, facts: Facts): string
  /**
   * What goes along with it here, by the same person, once they have confirmed it: while it waits for a code, or when it is
   * written down how it ended. Whatever becomes of this, the change stands as it is.
   */
  afterConfirming?(session: Session, params: Params, state: CommandState): Promise<void>
  /** After a person has taken it back, so that it can never be sent. */
  onWithdrawn?(commandId: string): Promise<void>
  /** The scope that reading whether the change has happened takes; `own`: only whose change it is can read that. */
  readonly reconcileScope: Scope | 'own'
  /** Reads whether the change has happened. Null where the service lets nobody read it: then a person settles it. */
  readonly reconcile:
    | ((session: Session, params: Params, sent: SentCommand<Facts>) => Promise<Reconciliation | Problem>)
    | null
  /** What is being read while the outcome is not known. */
  readonly checking: string
  /** What the person must not do while the outcome is not known, or may. */
  readonly unknownAdvice: string
}

/** A change that is sent to the service. */
export interface ServiceKind<Params, Facts extends AnyFacts, Data> extends Kind<Params, Facts> {
  send(session: Session, params: Params, code: string): Promise<Sent<Data> | OwnAct>
  /** Only what agrees is done. */
  compareAnswer(answered: Answered<Params, Facts, Data>): Agreement
  /** Words for a success that agrees. */
  describeSuccess(params: Params, facts: Facts, data: Data, serviceTime: string | null): Description
  /** Words for a 204; left out where the answer has to prove the effect, or a read can. */
  describeNoContent?(params: Params, facts: Facts): Description
  /** No read shows the effect, so a success that does not agree is not known. */
  readonly hasHiddenEffect?: true
  /** What can be read only once the change took effect; null where there is nothing more to tell. Never sends. */
  describeFurther?(session: Session, params: Params, facts: Facts, data: Data | null): Promise<Description | null>
  /** What only this one answer shows. */
  once?(data: Data): Once | null
  onSettled?(trx: Trx, keeping: Settlement<Params, Data>): Promise<void>
}

/** A change of the console's own records. */
export interface RecordKind<Params, Facts extends AnyFacts> extends Kind<Params, Facts> {
  send(session: Session, params: Params, code: string): Promise<OwnAct>
  describeSuccess(params: Params, facts: Facts): Description
  onSettled?(trx: Trx, keeping: Settlement<Params, unknown>): Promise<void>
}

export type CommandKind<Params, Facts extends AnyFacts, Data> =
  | ServiceKind<Params, Facts, Data>
  | RecordKind<Params, Facts>
