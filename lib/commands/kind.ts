import 'server-only'
import type { Kysely } from 'kysely'
import type { z } from 'zod'
import { type ChangeRule, changes } from '#lib/authorization/table.ts'
import { perProcess } from '#lib/config/per-process.ts'
import type { Problem } from '#lib/contract/problem.ts'
import type { Scope } from '#lib/contract/scopes.ts'
import { type CommandKindName, kindTable, policyTermsOf } from '#lib/kind-names.ts'
import type { Result, Sent } from '#lib/service/client.ts'
import type { Session } from '#lib/session/session.ts'
import type { Tables, Trx } from '#lib/store/tables.ts'
import { sameAccount } from '#lib/values/ids.ts'
import { isSameText } from '#lib/values/text.ts'
import { ownProperty } from '#lib/values/words.ts'
import type { AcceptedAnswer, DraftView, Line, Once, Outcome, Place, Proof, Step } from './command.ts'
import { type CommandRow, type CommandState, factsOf, type LockKey, paramsOf } from './row.ts'

/** What a change said when it was prepared. Later builds say it in the same words. */
export interface ConfirmText
  extends Pick<DraftView, 'title' | 'lines' | 'consequence' | 'button' | 'warning' | 'proof'> {
  readonly v: 1
  readonly doneTitle: string
}

export function renderText(
  kind: AnyCommand,
  params: unknown,
  facts: AnyFacts,
  warning: string | null = null,
): ConfirmText {
  const title = kind.title(params, facts)
  return {
    v: 1,
    title,
    doneTitle: 'send' in kind ? kind.doneTitle(params, facts) : title,
    lines: kind.summary(params, facts),
    consequence: kind.consequence(params, facts),
    button: kind.button?.(params, facts) ?? title,
    warning,
    proof: kind.proof?.(params, facts) ?? null,
  }
}

/** Of commands of earlier builds, what this build says. Null if it cannot. */
export function textOf(row: Pick<CommandRow, 'kind' | 'params' | 'facts' | 'confirm_text'>): ConfirmText | null {
  try {
    const kept = row.confirm_text === null ? null : (JSON.parse(row.confirm_text) as ConfirmText)
    if (kept?.v === 1) return kept
    const kind = commandNamed(row.kind)
    return kind === undefined ? null : renderText(kind, paramsOf(row), factsOf(row))
  } catch {
    return null
  }
}

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

export interface ConsoleRefusal {
  readonly title: string
  readonly advice: string
}

/** Not checked: the store may have been altered. */
export type StoredParams = Readonly<Record<string, unknown>>

export interface ErasedTexts {
  readonly params: StoredParams
  readonly texts: readonly string[]
}

/** What every kind has, so that the journal can show its changes. */
interface Entry<Params, Facts extends AnyFacts> {
  readonly kind: CommandKindName
  title(params: Params, facts: Facts): string
  place?(command: Pick<CommandRow, 'id' | 'target'>): Place
  /** Of the records that it wrote, when the texts of the change are erased. */
  eraseText?(trx: Trx, command: Pick<CommandRow, 'id' | 'target'>, erased: ErasedTexts): Promise<void>
  /** Whether a later change of the same kind and target has an erased text as its value before. */
  repeatsText?(params: StoredParams, later: StoredParams): boolean
  /** The id of the change that it settles with its reason. */
  settles?(params: StoredParams): unknown
  /** Whether a line stays when the texts of the change are erased. Absent if all lines but texts stay. */
  keepsLine?(line: Line, params: StoredParams): boolean
}

/** `Facts` are strings exactly as the service returned them. They must be the same again when the change is made. */
interface Requested<Params, Facts extends AnyFacts> extends Entry<Params, Facts> {
  readonly params: z.ZodType<Params>
  /** Executed without a confirmation dialog. */
  readonly immediate: boolean
  checkParams?(params: Params): FieldFaults
  /** `author` and `shown` are of a change that is compared again; its draft is made without them. */
  readFacts(session: Session, params: Params, author?: string, shown?: Facts): Promise<Result<Facts>>
  checkFacts?(params: Params, facts: Facts, session: Session): FieldFaults
  /** The last check before the change is made. It may read the service. */
  checkLast?(session: Session, params: Params): Promise<ConsoleRefusal | null>
  warning?(session: Session, params: Params, facts: Facts): Promise<string | null>
  proof?(params: Params, facts: Facts): Proof | null
  policyInput?(params: Params, facts: Facts): { readonly amount: string; readonly decision?: 'refund' | 'release' }
  policyFlags?(db: Kysely<Tables>, params: Params): Promise<PolicyFlags>
  /** User ids of people who gain or lose by it; they may not approve it. */
  parties?(params: Params, facts: Facts): readonly string[]
  /** Absent if a party may make the change. */
  readonly refusesParties?: { readonly field: string; readonly fault: string }
  /** Actors who entered its data manually; they may not approve it. */
  enteredBy?(db: Kysely<Tables>, params: Params): Promise<readonly string[]>
  /** What the kind needs under any policy. */
  requires?(params: Params): { readonly approval?: ApprovalNeed; readonly passkey?: PasskeyNeed }
  target(params: Params, session: Session): string
  locks(params: Params, session: Pick<Session, 'actor'>): readonly LockKey[]
  describeLockConflict(key: string, params: Params): { readonly field: string; readonly what: string }
  button?(params: Params, facts: Facts): string
  summary(params: Params, facts: Facts): readonly Line[]
  factLines(facts: Facts): readonly Line[]
  /** What an approver should know beside the facts. Null if it cannot be read. */
  background?(session: Session, params: Params): Promise<readonly Line[] | null>
  /** Facts that may be empty in the draft; a later value is not a change. */
  readonly optionalFacts?: readonly string[]
  /** Shown, but never a change: they move with use. */
  readonly movingFacts?: readonly string[]
  /** They may move while an approval waits: it stays, and its author acknowledges the new values before sending. */
  readonly acknowledgedFacts?: readonly string[]
  /** Kinds whose changes alter the facts; if absent, this kind. */
  readonly affectedBy?: readonly CommandKindName[]
  consequence(params: Params, facts: Facts): string
}

/** Sends a request to the service: draft, policy, send, outcome, reconcile. */
export interface ServiceCommand<Params, Facts extends AnyFacts, Data> extends Requested<Params, Facts> {
  /** The service accepts people without two-factor enrolment; REQUIRE_ENROLMENT makes the console refuse them. */
  readonly needsEnrolment?: true
  readonly takesCode?: true
  doneTitle(params: Params, facts: Facts): string
  send(session: Session, params: Params, code: string): Promise<Sent<Data>>
  compareAnswer(answered: Answered<Params, Facts, Data>): Agreement
  describeSuccess(params: Params, facts: Facts, data: Data, serviceTime: string | null): Description
  /** Absent if a 204 does not prove the effect. */
  describeNoContent?(params: Params, facts: Facts): Description
  /** No read shows the effect, so a success without proof is unknown. */
  readonly hasHiddenEffect?: true
  /** Must not send a change. */
  describeFurther?(session: Session, params: Params, facts: Facts, data: Data | null): Promise<Description | null>
  once?(data: Data): Once | null
  onSettled?(trx: Trx, settlement: Settlement<Params, Data>): Promise<void>
  /** A failure here does not affect the change. */
  afterConfirming?(session: Session, params: Params, state: CommandState): Promise<void>
  onWithdrawn?(trx: Trx, commandId: string): Promise<void>
  /** The kind of settling it by hand, if the policy has rules for that. */
  readonly settledAs?: CommandKindName
  /** `own`: only the author can read the effect. */
  readonly reconcileScope: Scope | 'own'
  /** Absent if the service has no read for the effect. */
  reconcile?(session: Session, params: Params, sent: SentCommand<Facts>): Promise<Reconciliation | Problem>
  readonly checking: string
  readonly unknownAdvice: string
}

/** Changes only the console's records, in the transaction that journals it. Its outcome is always known. */
export interface RecordCommand<Params, Facts extends AnyFacts> extends Requested<Params, Facts> {
  /** Facts may have changed since they were read. A refusal writes nothing. */
  checkUnderLock?(trx: Trx, act: RecordAct<Params, Facts>): Promise<ConsoleRefusal | null>
  record(trx: Trx, act: RecordAct<Params, Facts>): Promise<void>
  /** Only for kinds whose outcome is shown. */
  doneTitle?(params: Params, facts: Facts): string
  describeSuccess(params: Params, facts: Facts): Description
}

export interface RecordAct<Params, Facts> {
  readonly commandId: string
  readonly actor: string
  readonly actorName: string
  readonly params: Params
  readonly facts: Facts
}

export interface Settlement<Params, Data> extends Omit<RecordAct<Params, unknown>, 'facts'> {
  readonly data: Data | null
}

interface TableFacts {
  readonly label: string
  readonly policy: ReturnType<typeof policyTermsOf>
  readonly access: ChangeRule
}

/** Values of type `unknown` have passed the kind's schema. */
export type AnyServiceCommand = ServiceCommand<unknown, AnyFacts, unknown> & TableFacts
export type AnyRecordCommand = RecordCommand<unknown, AnyFacts> & TableFacts
export type AnyCommand = AnyServiceCommand | AnyRecordCommand
/** A record that a feature writes in its own transaction; nobody can request it as a command. */
export type AnyEntry = Entry<unknown, AnyFacts> & TableFacts
export type AnyKind = AnyCommand | AnyEntry

const tableFactsOf = (kind: CommandKindName): TableFacts => ({
  label: kindTable[kind].label,
  policy: policyTermsOf(kind),
  access: changes[kind],
})

export const serviceCommand = <Params, Facts extends AnyFacts, Data>(
  command: ServiceCommand<Params, Facts, Data>,
): AnyServiceCommand => ({ ...tableFactsOf(command.kind), ...command })

export const recordCommand = <Params, Facts extends AnyFacts>(
  command: RecordCommand<Params, Facts>,
): AnyRecordCommand => ({ ...tableFactsOf(command.kind), ...command })

export const recordEntry = (entry: Entry<Readonly<Record<string, string | number>>, AnyFacts>): AnyEntry => ({
  ...tableFactsOf(entry.kind),
  ...entry,
})

export interface ApprovalNeed {
  readonly by: number
  /** In addition to the scope of the change. */
  readonly scopes: readonly Scope[]
  readonly passkey: boolean
  readonly administers: boolean
  /** One approver reads what is new before it is sent. */
  readonly reread?: boolean
}

export interface PasskeyNeed {
  /** A passkey cannot confirm its own removal. */
  readonly except: string | null
}

export interface PolicyFlags {
  /** A person entered or accepted the reference on the statement line. */
  readonly enteredByHand: boolean
  readonly foundInText: boolean
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
    typeof value === 'string' && isSameText(value, expected)

/** Agrees only if the body has all fields in `proof`. Another value in a field of `mayDiffer` proves nothing. */
export function compareFields(
  data: unknown,
  checks: Readonly<Record<string, Check>>,
  proof: readonly string[],
  mayDiffer: readonly string[] = [],
): Agreement {
  if (typeof data !== 'object' || data === null) return 'silent'
  const fields = data as Readonly<Record<string, unknown>>
  const stated = Object.entries(checks).filter(([name]) => (ownProperty(fields, name) ?? null) !== null)
  const failed = stated.filter(([name, passes]) => !passes(fields[name]))
  if (failed.some(([name]) => !mayDiffer.includes(name))) return 'contradicts'
  return failed.length === 0 && proof.every((name) => stated.some(([there]) => there === name)) ? 'agrees' : 'silent'
}

export type FieldFaults = Readonly<Record<string, string>>

export const faultsOf = (checked: Readonly<Record<string, string | null>>): FieldFaults =>
  Object.fromEntries(Object.entries(checked).flatMap(([field, fault]) => (fault === null ? [] : [[field, fault]])))

const registered = (): Map<string, AnyKind> => perProcess('kinds', () => new Map())

export function registerKinds(kinds: Readonly<Record<CommandKindName, AnyKind>>): void {
  for (const [name, kind] of Object.entries(kinds)) registered().set(name, kind)
}

/** Undefined for a kind of another version. */
export function kindNamed(name: string): AnyKind | undefined {
  if (registered().size === 0) throw new Error('no kinds of change are registered')
  return registered().get(name)
}

/** Account ids may be written differently. */
export const isParty = (kind: AnyCommand | undefined, params: unknown, facts: AnyFacts, { userId }: Session): boolean =>
  kind?.parties?.(params, facts).some((party) => sameAccount(party, userId)) ?? false

/** Undefined also for a kind that nobody can request. */
export function commandNamed(name: string): AnyCommand | undefined {
  const kind = kindNamed(name)
  return kind !== undefined && isCommand(kind) ? kind : undefined
}

export const isCommand = <Kind extends AnyKind>(kind: Kind): kind is Kind & AnyCommand => 'params' in kind
