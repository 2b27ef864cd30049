import 'server-only'
import { createHash, randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { refusalProblem, refusedToMake } from '#lib/authorization/judge.ts'
import { isStorableThroughout, UNSTORABLE_WORDS } from '#lib/contract/json.ts'
import { inJournal } from '#lib/journal/sequencer.ts'
import { refusedByWitness } from '#lib/journal/witness.ts'
import type { Result } from '#lib/service/client.ts'
import { problemWords } from '#lib/service/problem-words.ts'
import type { Session } from '#lib/session/session.ts'
import { inTransaction, store } from '#lib/store/store.ts'
import type { Tables, Trx } from '#lib/store/tables.ts'
import { timeInText } from '#lib/values/time.ts'
import {
  type ApprovalOutcome,
  type ChangedFacts,
  type CommandReply,
  type CommandView,
  type DraftReply,
  type DraftView,
  isProven,
  type Line,
  type Outcome,
  refusedUnsent,
} from './command.ts'
import {
  type AnyCommand,
  type AnyFacts,
  type AnyKind,
  commandNamed,
  type FieldFaults,
  isCommand,
  isParty,
  renderText,
  textOf,
} from './kind.ts'
import { holderOf } from './locks.ts'
import { approvalOutcome, askForReread, findApprovals, findOpenRequest, findRequest } from './policy/approval-table.ts'
import { notAsPrepared, policyOfDraft } from './policy/gate.ts'
import { inTurn, takeRoom, tooManyChanges } from './rate-limit.ts'
import {
  type CommandRow,
  type CommandState,
  factsOf,
  type LockHolder,
  type LockKey,
  type Note,
  paramsOf,
} from './row.ts'
import { later } from './step-up.ts'
import { appendNote, findCommand, insertDraftIn, moveCommand, type NewCommand } from './store.ts'
import { inNewTrace } from './trace.ts'
import { actorWords, DRAFT_LIFE_MS, expired, kindOf, notFound, viewFor, viewOf, wholeViewFor } from './view.ts'

const refused = (fields: FieldFaults): Refused => ({ ok: false, fields, problem: null })

/** The database rejects these texts. */
const unstorableFields = (params: unknown): FieldFaults =>
  Object.fromEntries(
    Object.entries(params ?? {}).flatMap(([name, value]) =>
      isStorableThroughout(value) ? [] : [[name, UNSTORABLE_WORDS] as const],
    ),
  )

export interface DraftOptions {
  /** From the caller, so that a retry is the same command. */
  readonly id?: string
  readonly batch?: string
}

/** Stores an immutable draft and sends nothing. */
export const draftCommand = (
  session: Session,
  kind: AnyKind,
  input: unknown,
  options: DraftOptions = {},
): Promise<DraftReply> =>
  inNewTrace(kind.kind, async () => {
    const request = await checkRequest(session, kind, input, options)
    if (!request.ok) return request
    const { command } = request
    const row = await insertCounted(await store(), command)
    if (row === null) return { ok: false, fields: {}, problem: tooManyChanges }
    return { ok: true, draft: await viewOfDraft(request.kind, row) }
  })

export type Refused = Extract<DraftReply, { ok: false }>

/** Authorizes and validates the request, and reads the facts. Stores nothing. */
export async function checkRequest<Kind extends AnyKind>(
  session: Session,
  kind: Kind,
  input: unknown,
  { id = randomUUID(), batch }: DraftOptions,
): Promise<Refused | { readonly ok: true; readonly kind: Kind & AnyCommand; readonly command: NewCommand }> {
  const refusal = await refusedToMake(session, kind.access)
  if (refusal !== null) return { ok: false, fields: {}, problem: refusalProblem(refusal) }
  if (!isCommand(kind)) return refused({ params: 'This change cannot be made here.' })
  const parsed = kind.params.safeParse(input)
  if (!parsed.success) {
    return refused(
      Object.fromEntries(parsed.error.issues.map((issue) => [issue.path.join('.') || 'params', issue.message])),
    )
  }
  const params = parsed.data
  const faults = kind.checkParams?.(params) ?? {}
  if (Object.keys(faults).length > 0) return refused(faults)
  const unstorable = unstorableFields(params)
  if (Object.keys(unstorable).length > 0) return refused(unstorable)

  const halted = await refusedByWitness(await store())
  if (halted !== null) return { ok: false, fields: {}, problem: halted }
  const readAt = new Date().toISOString()
  const facts = await kind.readFacts(session, params)
  if (!facts.ok) return { ok: false, fields: {}, problem: facts.problem }
  const party = partyFault(kind, params, facts.value, session)
  const partyFaults = party === null ? {} : { [party.field]: party.fault }
  const factFaults = { ...kind.checkFacts?.(params, facts.value, session), ...partyFaults }
  if (Object.keys(factFaults).length > 0) return refused(factFaults)

  const target = kind.target(params, session)
  const conflict = await lockConflict(session, kind, params, target)
  if (conflict !== null) return conflict
  const warning = kind.immediate ? null : ((await kind.warning?.(session, params, facts.value)) ?? null)
  const command = {
    id,
    kind: kind.kind,
    actor: session.actor,
    actorName: session.displayName,
    method: session.method,
    target,
    params: JSON.stringify(params),
    facts: JSON.stringify(facts.value),
    confirmText: JSON.stringify(renderText(kind, params, facts.value, warning)),
    readAt,
    ...(batch === undefined ? {} : { batch }),
  }
  return { ok: true, kind, command }
}

async function lockConflict(
  session: Session,
  kind: AnyCommand,
  params: unknown,
  target: string,
): Promise<Refused | null> {
  for (const lock of kind.locks(params, session)) {
    const holder = await holderOf(await store(), lock.key)
    if (holder === null || mayTransfer(lock, holder, { kind: kind.kind, target })) continue
    return heldBy(session, kind, params, holder)
  }
  return await openRequestConflict(session, kind, params)
}

/** Refuses a draft while another request for the same effect is open. */
async function openRequestConflict(session: Session, kind: AnyCommand, params: unknown): Promise<Refused | null> {
  const keys = kind.locks(params, session).map(({ key }) => key)
  const open = await findOpenRequest(await store(), keys)
  if (open === null) return null
  const { field } = kind.describeLockConflict(keys.find((key) => open.keys.includes(key)) ?? '', params)
  const who = open.row.actor === session.actor ? 'You' : actorWords(session, open.row)
  const request = `${who} requested it at ${timeInText(open.askedAt)}: ${viewOf(open.row).title}.`
  return { ...refused({ [field]: `This waits for approval already. ${request}` }), heldBy: open.row.id }
}

export const heldBy = (session: Session, kind: AnyCommand, params: unknown, holder: LockHolder): Refused => ({
  ...refused(lockConflictFault(kind, params, holder, holderWords(session, holder))),
  heldBy: holder.commandId,
})

const insertCounted = (db: Kysely<Tables>, command: NewCommand): Promise<CommandRow | null> =>
  inTurn(command.actor, () =>
    inJournal(db, async (trx) =>
      (await takeRoom(trx, command.actor, command.batch)) ? await insertDraftIn(trx, command) : null,
    ),
  )

async function viewOfDraft(kind: AnyCommand, row: CommandRow): Promise<DraftView> {
  const text = textOf(row) ?? renderText(kind, paramsOf(row), factsOf(row))
  const { title, lines, consequence, button, warning, proof } = text
  const policy = await policyOfDraft(await store(), row)
  return {
    ...{ id: row.id, kind: kind.kind, title, lines, consequence, button, warning, proof },
    expiresAt: new Date(Date.parse(row.created_at) + DRAFT_LIFE_MS).toISOString(),
    immediate: kind.immediate && policy.approval === null,
    effect: row.effect ?? '',
    ...policy,
  }
}

function holderWords(session: Session, { actor, actorName, method }: LockHolder): string {
  const words = actorWords(session, { actor, actor_name: actorName, method })
  return words.includes(',') ? `${words},` : words
}

export function lockConflictFault(kind: AnyCommand, params: unknown, holder: LockHolder, who: string): FieldFaults {
  const { field, what } = kind.describeLockConflict(holder.key, params)
  const since = holder.sentAt === null ? '' : ` at ${timeInText(holder.sentAt)}`
  const doubt = holder.state === 'not_applied' ? ' It had no effect so far. Its lock can be freed on its page.' : ''
  return { [field]: `${what}: ${who} sent it${since} for ${holder.target}.${doubt}` }
}

/** The same change of the same target may use the key, since together they have one effect. */
const mayTransfer = (
  { permanent }: LockKey,
  holder: LockHolder,
  { kind, target }: Pick<LockHolder, 'kind' | 'target'>,
): boolean => permanent && holder.state === 'not_applied' && holder.kind === kind && holder.target === target

export function wrongProof(row: CommandRow, typed: string | null): CommandView | null {
  const proof = textOf(row)?.proof ?? null
  if (proof === null || isProven(proof, typed ?? '')) return null
  return viewOf(row, refusedUnsent('The typed text does not match', `Nothing was sent. ${proof.label}.`))
}

/** Runs before any value of the row is used. The row lock prevents a comparison with newer events. */
export async function endIfChanged(row: CommandRow, options: EndOptions = {}): Promise<CommandView | null> {
  const changed = await inTransaction(await store(), async (trx) => {
    const held = await trx.selectFrom('command').select('state').where('id', '=', row.id).forShare().executeTakeFirst()
    return held?.state === row.state ? await notAsPrepared(trx, row) : null
  })
  return changed === null ? null : await endUnsent(row, changed.outcome, { ...options, note: changed.note })
}

const partyFault = (kind: AnyCommand, params: unknown, facts: AnyFacts, session: Session) =>
  kind.refusesParties !== undefined && isParty(kind, params, facts, session) ? kind.refusesParties : null

export const readFactsAgain = (session: Session, kind: AnyCommand, row: CommandRow): Promise<Result<AnyFacts>> =>
  kind.readFacts(session, paramsOf(row), row.actor, factsOf(row))

/** Null if the facts are unchanged. If they changed, the command ends; if they cannot be read, it can be retried. */
export async function preflight(
  session: Session,
  row: CommandRow,
  acknowledged: string | null = null,
): Promise<CommandView | null> {
  const kind = kindOf(row)
  const party = partyFault(kind, paramsOf(row), factsOf(row), session)
  if (party !== null) return await endUnsent(row, refusedUnsent(party.fault, 'Nothing was sent.'))
  const facts = await readFactsAgain(session, kind, row)
  if (!facts.ok) {
    if (row.state === 'challenged') return viewOf(row, later(facts.problem))
    const words = problemWords(facts.problem)
    return viewOf(row, refusedUnsent(words.title, `Nothing was sent. ${words.advice}`, facts.problem))
  }
  if (areAsShown(kind, row, facts.value)) return null
  const db = await store()
  const request = await findRequest(db, row.id)
  const moved = request === null ? 'void' : compareFacts(kind, row, facts.value)
  if (request === null || moved === 'void') return await endMoved(row, facts.value)
  if (moved === 'same') return null
  const changedFacts = changedFactsOf(kind, row, facts.value)
  const outcome = await withNewFacts(row, approvalOutcome(request, await findApprovals(db, row.id)), changedFacts)
  const isToBeRead = outcome.rereadOf !== undefined
  // Approvers cannot read again while the service waits for a code.
  if (isToBeRead && row.state === 'challenged') return await endMoved(row, facts.value)
  if (isToBeRead || changedFacts.mark !== acknowledged) return viewFor(session, row, outcome)
  await inJournal(db, async (trx) => appendNote(trx, row.id, { acknowledged: factsText(changedFacts.now) }))
  return null
}

/** Shows the author of a request what moved since. Ends a void request; a failed read changes nothing. */
export async function withChangedFacts(session: Session, row: CommandRow, view: CommandView): Promise<CommandView> {
  const { outcome } = view
  const kind = commandNamed(row.kind)
  if (kind === undefined || outcome.class !== 'approval' || row.actor !== session.actor) return view
  const facts = await readFactsAgain(session, kind, row)
  if (!facts.ok) return view
  const moved = compareFacts(kind, row, facts.value)
  if (moved === 'void') {
    await endMoved(row, facts.value)
    return await wholeViewFor(session, (await findCommand(await store(), row.id)) ?? row)
  }
  const changedFacts = moved === 'same' ? null : changedFactsOf(kind, row, facts.value)
  return viewFor(session, row, await withNewFacts(row, outcome, changedFacts))
}

async function withNewFacts(
  row: CommandRow,
  { rereadOf: _, ...outcome }: ApprovalOutcome,
  changedFacts: ChangedFacts | null,
): Promise<ApprovalOutcome> {
  const isToBeRead = await askForReread(await store(), row, changedFacts?.mark ?? null)
  if (changedFacts === null) return outcome
  return { ...outcome, changedFacts, ...(isToBeRead ? { rereadOf: changedFacts.mark } : {}) }
}

export function endMoved(row: CommandRow, now: AnyFacts, options: EndOptions = {}): Promise<CommandView> {
  const { factLines } = kindOf(row)
  return endUnsent(row, { class: 'changed', before: factLines(factsOf(row)), now: factLines(now) }, options)
}

const factsText = (lines: readonly Line[]): string => lines.map(({ label, value }) => `${label}: ${value}`).join(', ')

/** A fact that was empty in the draft may get a value. */
export const areAsShown = (kind: AnyCommand, row: CommandRow, now: AnyFacts): boolean =>
  areSameExcept([], kind, row, now)

function areSameExcept(names: readonly string[], kind: AnyCommand, row: CommandRow, now: AnyFacts): boolean {
  const shown = factsOf(row)
  const learnt = (kind.optionalFacts ?? []).filter((name) => shown[name] === '').map((name) => [name, ''])
  const excepted = [...names, ...(kind.movingFacts ?? [])].map((name) => [name, shown[name]])
  return JSON.stringify({ ...now, ...Object.fromEntries(learnt), ...Object.fromEntries(excepted) }) === row.facts
}

/** `void`: an approval of it ends. `changed`: it stays, once the facts with their mark are acknowledged. */
export function compareFacts(kind: AnyCommand, row: CommandRow, now: AnyFacts): 'same' | 'changed' | 'void' {
  const [names, shown] = [kind.acknowledgedFacts ?? [], factsOf(row)]
  if (!areSameExcept(names, kind, row, now)) return 'void'
  // What is empty now, such as the assignee, needs no attention any more.
  return names.some((name) => now[name] !== '' && now[name] !== shown[name]) ? 'changed' : 'same'
}

export function changedFactsOf(kind: AnyCommand, row: CommandRow, now: AnyFacts): ChangedFacts {
  const [before, after] = [kind.factLines(factsOf(row)), kind.factLines(now)]
  const moved = after.flatMap((line, at) => (line.value === before[at]?.value ? [] : [at]))
  const of = (lines: readonly Line[]) => moved.flatMap((at) => lines[at] ?? [])
  return { before: of(before), now: of(after), mark: factsMark(kind, now) }
}

/** SHA-256 of the facts that need acknowledging, in hexadecimal. */
export function factsMark(kind: AnyCommand, facts: AnyFacts): string {
  const values = (kind.acknowledgedFacts ?? []).map((name) => facts[name] ?? '')
  return createHash('sha256').update(JSON.stringify(values)).digest('hex')
}

interface EndOptions {
  readonly note?: Note
  readonly also?: (trx: Trx) => Promise<void>
  /** False shows the end to its author later. */
  readonly handled?: boolean
}

/** If another request sent it meanwhile, returns that outcome. */
export async function endUnsent(
  row: CommandRow,
  outcome: Outcome,
  { note = {}, also, handled = true }: EndOptions = {},
): Promise<CommandView> {
  const db = await store()
  const state = row.state as CommandState
  const to = state === 'challenged' ? 'refused' : 'closed'
  const noted = { outcome: JSON.stringify(outcome), note: { why: outcome.class, ...note } }
  const marked = handled && state === 'awaiting_approval'
  const closed = await moveCommand(db, row.id, { from: [state], to, handled: marked, ...noted }, also)
  return viewOf(closed ?? (await findCommand(db, row.id)) ?? row)
}

const WITHDRAWABLE: ReadonlySet<string> = new Set(['draft', 'awaiting_approval', 'challenged'])

/** `unanswered`: the author's browser got no answer. `by-console`: it cannot continue. */
type Withdrawal = 'cancelled' | 'unanswered' | 'by-console'

const withdrawnAs = (title: string): Outcome =>
  refusedUnsent(title, 'Nothing was changed. Start again if it is still needed.')

const outcomes: Readonly<Record<Withdrawal, Outcome>> = {
  cancelled: { class: 'cancelled', title: 'Cancelled by its author' },
  unanswered: withdrawnAs('The confirmation got no answer and was cancelled'),
  'by-console': withdrawnAs('It was cancelled'),
}

/** Returns the outcome if it was already sent, so that a browser without an answer learns it. */
export async function withdrawCommand(
  session: Session,
  id: string,
  withdrawal: Withdrawal = 'cancelled',
): Promise<CommandReply> {
  const row = await findCommand(await store(), id)
  if (row === undefined || row.actor !== session.actor) return notFound
  if (!WITHDRAWABLE.has(row.state)) return { ok: true, command: viewOf(row) }
  const by = withdrawal === 'cancelled' ? { cancelled: true, by: session.actor, byName: session.displayName } : {}
  return { ok: true, command: await endUnsent(row, outcomes[withdrawal], { note: by, also: freeingOf(row) }) }
}

function freeingOf({ id, kind: name }: CommandRow): (trx: Trx) => Promise<void> {
  const kind = commandNamed(name)
  return async (trx) => {
    if (kind !== undefined && 'send' in kind) await kind.onWithdrawn?.(trx, id)
  }
}

/** A draft that nobody confirmed. Does nothing if it was sent or ended meanwhile. */
export const endExpiredDraft = (row: CommandRow): Promise<CommandView> =>
  endUnsent(row, expired, { also: freeingOf(row) })
