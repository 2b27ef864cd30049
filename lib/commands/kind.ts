import 'server-only'
import type { Kysely } from 'kysely'
import type { z } from 'zod'
import { perProcess } from '#lib/config/per-process.ts'
import type { Problem } from '#lib/contract/problem.ts'
import type { Scope } from '#lib/contract/scopes.ts'
import type { CommandKindName } from '#lib/kind-names.ts'
import type { Result } from '#lib/service/answer.ts'
import type { Sent } from '#lib/service/client.ts'
import type { Session } from '#lib/session/session.ts'
import type { Tables, Trx } from '#lib/store/tables.ts'
import { sameAccount } from '#lib/values/ids.ts'
import { alike } from '#lib/values/text.ts'
import { ownProperty } from '#lib/values/words.ts'
import type { AcceptedAnswer, Line, Once, Outcome, Proof, Step } from './command.ts'
import type { CommandState, LockKey } from './row.ts'

export type AnyFacts = Readonly<Record<string, string>>

export interface Description {
  readonly lines: readonly Line[]
  readonly steps: readonly Step[]
}

export type NotApplied = Extract<Outcome, { class: 'refused' | 'failed' }>

/** Only values that the interface specifies are proof; absence and unknown names are not. */
export type Reconciliation =
  | {
      readonly settled: false
      /** The old state is still there, so the change counts as without effect after two minutes. */
      readonly showsNoEffect: boolean
      readonly shows: string
      readonly isUnderWay?: boolean
      readonly description?: Description
    }
  | { readonly settled: true; readonly shows: string; readonly description: Description }
  | { readonly settled: true; readonly shows: string; readonly notApplied: NotApplied }

export interface SentCommand<Facts> {
  readonly facts: Facts
  /** The sender's id at the service. */
  readonly actorUserId: string | null
  readonly sentAt: string
  readonly answer: AcceptedAnswer | null
}

export interface OwnAct {
  readonly kind: 'own'
  /** A check under lock found a reason against the act; then nothing is written. */
  readonly refusal?: { readonly title: string; readonly advice: string }
}

export interface Settlement<Params, Data> {
  readonly commandId: string
  readonly actor: string
  readonly actorName: string
  readonly params: Params
  readonly data: Data | null
}

/** `Facts` are strings exactly as the service returned them. They must be the same again at sending. */
interface Kind<Params, Facts extends AnyFacts> {
  readonly kind: CommandKindName
  readonly params: z.ZodType<Params>
  /** Executed without a confirmation dialog. */
  readonly immediate: boolean
  /** The service accepts people without two-factor enrolment; REQUIRE_ENROLMENT makes the console refuse them. */
  readonly needsEnrolment: boolean
  readonly takesCode: boolean
  checkParams(params: Params): FieldFaults
  readFacts(session: Session, params: Params, author?: string): Promise<Result<Facts>>
  checkFacts(params: Params, facts: Facts, session: Session): FieldFaults
  warning?(session: Session, params: Params, facts: Facts): Promise<string | null>
  proof?(params: Params, facts: Facts): Proof | null
  judgedBy?(params: Params, facts: Facts): { readonly amount: string; readonly decision?: 'refund' | 'release' }
  /** User ids of people who gain or lose by it; they may not approve it. */
  parties?(params: Params, facts: Facts): readonly string[]
  /** Absent if a party may make the change. */
  readonly refusesParties?: { readonly field: string; readonly fault: string }
  marks?(db: Kysely<Tables>, params: Params): Promise<PolicyFlags>
  /** Actors who entered its data manually; they may not approve it. */
  enteredBy?(db: Kysely<Tables>, params: Params): Promise<readonly string[]>
  takes?(params: Params): { readonly approval?: ApprovalNeed; readonly passkey?: PasskeyNeed }
  target(params: Params, session: Session): string
  locks(params: Params, session: Pick<Session, 'actor'>): readonly LockKey[]
  describeLockConflict(key: string, params: Params): { readonly field: string; readonly what: string }
  title(params: Params, facts: Facts): string
  button?(params: Params, facts: Facts): string
  summary(params: Params, facts: Facts): readonly Line[]
  factLines(facts: Facts): readonly Line[]
  /** Facts that may be empty in the draft; a later value is not a change. */
  readonly learns?: readonly (keyof Facts & string)[]
  readonly movedBy?: readonly CommandKindName[]
  consequence(params: Params, facts: Facts): string
  /** A failure here does not affect the change. */
  afterConfirming?(session: Session, params: Params, state: CommandState): Promise<void>
  onWithdrawn?(commandId: string): Promise<void>
  /** `own`: only the author can read the effect. */
  readonly reconcileScope: Scope | 'own'
  /** Null if the service has no read for the effect. */
  readonly reconcile:
    | ((session: Session, params: Params, sent: SentCommand<Facts>) => Promise<Reconciliation | Problem>)
    | null
  readonly checking: string
  readonly unknownAdvice: string
}

export interface ServiceKind<Params, Facts extends AnyFacts, Data> extends Kind<Params, Facts> {
  send(session: Session, params: Params, code: string): Promise<Sent<Data> | OwnAct>
  compareAnswer(answered: Answered<Params, Facts, Data>): Agreement
  describeSuccess(params: Params, facts: Facts, data: Data, serviceTime: string | null): Description
  /** Absent if a 204 does not prove the effect. */
  describeNoContent?(params: Params, facts: Facts): Description
  /** No read shows the effect, so a success without proof is unknown. */
  readonly hasHiddenEffect?: true
  /** Must not send a change. */
  describeFurther?(session: Session, params: Params, facts: Facts, data: Data | null): Promise<Description | null>
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

export interface ApprovalNeed {
  readonly by: number
  /** In addition to the scope of the change. */
  readonly scopes: readonly Scope[]
  readonly passkey: boolean
  readonly administers: boolean
}

export interface PasskeyNeed {
  /** A passkey cannot confirm its own removal. */
  readonly except: string | null
}

export interface PolicyFlags {
  /** A person entered or accepted the reference on the statement line. */
  readonly enteredByHand: boolean
  /** A person freed the bank reference of another confirmation. */
  readonly freedByHand: boolean
}

export type Agreement =
  | 'agrees'
  /** The answer does not state the effect. */
  | 'silent'
  | 'contradicts'

export interface Answered<Params, Facts, Data> {
  readonly params: Params
  readonly facts: Facts
  readonly data: Data
  readonly actorUserId: string | null
}

type Check = (value: unknown) => boolean

export const equals =
  (expected: unknown): Check =>
  (value) =>
    value === expected

export const equalsId =
  (expected: string): Check =>
  (value) =>
    typeof value === 'string' && sameAccount(value, expected)

export const resembles =
  (expected: string): Check =>
  (value) =>
    typeof value === 'string' && alike(value, expected)

/** Agrees only if the body has all fields in `proof`. */
export function compareFields(
  data: unknown,
  checks: Readonly<Record<string, Check>>,
  proof: readonly string[],
): Agreement {
  if (typeof data !== 'object' || data === null) return 'silent'
  const fields = data as Readonly<Record<string, unknown>>
  const stated = Object.entries(checks).filter(([name]) => (ownProperty(fields, name) ?? null) !== null)
  if (stated.some(([name, passes]) => !passes(fields[name]))) return 'contradicts'
  return proof.every((name) => stated.some(([there]) => there === name)) ? 'agrees' : 'silent'
}

export type FieldFaults = Readonly<Record<string, string>>

export const faultsOf = (checked: Readonly<Record<string, string | null>>): FieldFaults =>
  Object.fromEntries(Object.entries(checked).flatMap(([field, fault]) => (fault === null ? [] : [[field, fault]])))

/** Values of type `unknown` have passed the kind's schema. */
export type AnyKind = CommandKind<unknown, AnyFacts, unknown>

const registered = (): Map<string, AnyKind> => perProcess('kinds', () => new Map())

export function registerKinds(kinds: Readonly<Record<CommandKindName, AnyKind>>): void {
  for (const [name, kind] of Object.entries(kinds)) registered().set(name, kind)
}

/** Undefined for a kind of another version. */
export function kindNamed(name: string): AnyKind | undefined {
  if (registered().size === 0) throw new Error('no kinds of change are registered')
  return registered().get(name)
}
