import 'server-only'
import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { refusalProblem, refusedToMake } from '#lib/authorization/judge.ts'
import { changes } from '#lib/authorization/table.ts'
import { isStorableThroughout, UNSTORABLE_WORDS } from '#lib/contract/json.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import { timeInText } from '#lib/values/time.ts'
import { actorWords } from './actor-words.ts'
import type { DraftReply, DraftView } from './command.ts'
import {
  type CommandRow,
  holderOf,
  insertDraft,
  insertDraftIn,
  type LockHolder,
  type LockKey,
  type NewCommand,
} from './command-table.ts'
import { inNewTrace } from './command-trace.ts'
import { DRAFT_LIFE_MS } from './draft-life.ts'
import type { FieldFaults } from './field-faults.ts'
import { inJournal } from './journal.ts'
import { policyOfDraft } from './policy/limit-use.ts'
import { partyFault } from './preflight.ts'
import { inTurn, takeRoom, tooManyChanges } from './rate-limit.ts'
import type { AnyKind } from './registry.ts'
import { factsOf, paramsOf } from './view.ts'

const refused = (fields: FieldFaults): Extract<DraftReply, { ok: false }> => ({ ok: false, fields, problem: null })

/** The database rejects these texts. */
const unstorableFields = (params: unknown): FieldFaults =>
  Object.fromEntries(
    Object.entries(params ?? {}).flatMap(([name, value]) =>
      isStorableThroughout(value) ? [] : [[name, UNSTORABLE_WORDS] as const],
    ),
  )

interface DraftOptions {
  /** From the caller, so that a retry is the same command. */
  readonly id?: string
  readonly batch?: string
}

/** Stores an immutable draft and sends nothing. */
export function draftCommand(
  session: Session,
  kind: AnyKind,
  given: unknown,
  options: DraftOptions = {},
): Promise<DraftReply> {
  return inNewTrace(kind.kind, () => draft(session, kind, given, options))
}

async function draft(
  session: Session,
  kind: AnyKind,
  given: unknown,
  { id = randomUUID(), batch }: DraftOptions,
): Promise<DraftReply> {
  const refusal = await refusedToMake(session, changes[kind.kind])
  if (refusal !== null) return { ok: false, fields: {}, problem: refusalProblem(refusal) }
  const parsed = kind.params.safeParse(given)
  if (!parsed.success) {
    return refused(
      Object.fromEntries(parsed.error.issues.map((issue) => [issue.path.join('.') || 'params', issue.message])),
    )
  }
  const params = parsed.data
  const faults = kind.checkParams(params)
  if (Object.keys(faults).length > 0) return refused(faults)
  const unstorable = unstorableFields(params)
  if (Object.keys(unstorable).length > 0) return refused(unstorable)

  const lookedAt = new Date().toISOString()
  const facts = await kind.readFacts(session, params)
  if (!facts.ok) return { ok: false, fields: {}, problem: facts.problem }
  const party = partyFault(kind, params, facts.value, session)
  const partyFaults = party === null ? {} : { [party.field]: party.fault }
  const factFaults = { ...kind.checkFacts(params, facts.value, session), ...partyFaults }
  if (Object.keys(factFaults).length > 0) return refused(factFaults)

  const db = await store()
  for (const lock of kind.locks(params, session)) {
    const holder = await holderOf(db, lock.key)
    if (holder === null || mayBorrow(lock, holder, { kind: kind.kind, target: kind.target(params, session) })) continue
    return {
      ...refused(lockConflictFault(kind, params, holder, holderWords(session, holder))),
      heldBy: holder.commandId,
    }
  }
  const command = {
    id,
    kind: kind.kind,
    actor: session.actor,
    actorName: session.displayName,
    method: session.method,
    target: kind.target(params, session),
    params: JSON.stringify(params),
    facts: JSON.stringify(facts.value),
    lookedAt,
    ...(batch === undefined ? {} : { batch }),
  }
  const row = batch === undefined ? await insertCounted(db, command) : await insertDraft(db, command)
  if (row === null) return { ok: false, fields: {}, problem: tooManyChanges }
  return { ok: true, draft: await viewOfDraft(session, kind, row) }
}

const insertCounted = (db: Kysely<Tables>, command: NewCommand): Promise<CommandRow | null> =>
  inTurn(command.actor, () =>
    inJournal(db, async (trx) => ((await takeRoom(trx, command.actor)) ? await insertDraftIn(trx, command) : null)),
  )

async function viewOfDraft(session: Session, kind: AnyKind, row: CommandRow): Promise<DraftView> {
  const [params, facts] = [paramsOf(row), factsOf(row)]
  const title = kind.title(params, facts)
  return {
    id: row.id,
    kind: kind.kind,
    title,
    lines: kind.summary(params, facts),
    consequence: kind.consequence(params, facts),
    button: kind.button?.(params, facts) ?? title,
    expiresAt: new Date(Date.parse(row.created_at) + DRAFT_LIFE_MS).toISOString(),
    immediate: kind.immediate,
    warning: (await kind.warning?.(session, params, facts)) ?? null,
    proof: kind.proof?.(params, facts) ?? null,
    effect: row.effect ?? '',
    ...(await policyOfDraft(await store(), row)),
  }
}

function holderWords(session: Session, { actor, actorName, method }: LockHolder): string {
  const words = actorWords(session, { actor, actor_name: actorName, method })
  return words.includes(',') ? `${words},` : words
}

export function lockConflictFault(kind: AnyKind, params: unknown, holder: LockHolder, who: string): FieldFaults {
  const { field, what } = kind.describeLockConflict(holder.key, params)
  const since = holder.sentAt === null ? '' : ` at ${timeInText(holder.sentAt)}`
  const doubt =
    holder.state === 'not_applied' ? ' No effect of it shows, and who may confirm can free it on its page.' : ''
  return { [field]: `${what}: ${who} sent it${since} for ${holder.target}.${doubt}` }
}

/** The same change of the same target may use the key, since together they have one effect. */
const mayBorrow = (
  { forEver }: LockKey,
  holder: LockHolder,
  { kind, target }: Pick<LockHolder, 'kind' | 'target'>,
): boolean => forEver && holder.state === 'not_applied' && holder.kind === kind && holder.target === target
