import 'server-only'
import { randomUUID } from 'node:crypto'
import { refusalProblem, refusedToMake } from '#lib/authorization/judge.ts'
import { changes } from '#lib/authorization/table.ts'
import { isStorableThroughout, UNSTORABLE_WORDS } from '#lib/contract/storable-text.ts'
import type { DraftReply } from '#lib/domain/command.ts'
import type { Session } from '#lib/session/session.ts'
import { holderOf, insertDraft } from '#lib/store/commands.ts'
import { store } from '#lib/store/store.ts'
import { DRAFT_LIFE_MS } from './draft-life.ts'
import type { FieldFaults } from './field-faults.ts'
import { heldFault, mayBorrow } from './held.ts'
import type { AnyKind } from './kinds.ts'

const refused = (fields: FieldFaults): Extract<DraftReply, { ok: false }> => ({ ok: false, fields, problem: null })

/** The last net below each kind's own checks: what the store cannot hold is not written down. */
const unstorableFields = (params: unknown): FieldFaults =>
  Object.fromEntries(
    Object.entries(params ?? {}).flatMap(([name, value]) =>
      isStorableThroughout(value) ? [] : [[name, UNSTORABLE_WORDS] as const],
    ),
  )

interface DraftOptions {
  /** Where whoever asks has made one, so that asking again is the same command. */
  readonly id?: string
  /** Drafts of one batch are one act of the person. */
  readonly batch?: string
}

/**
 * The first half of the door: checks what was asked for, reads what it will touch, and stores a draft whose parameters
 * nobody can change. Nothing is sent. Answers the exact summary to confirm, or what is wrong with which field.
 */
export async function draftCommand(
  session: Session,
  kind: AnyKind,
  given: unknown,
  { id = randomUUID(), batch }: DraftOptions = {},
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

  const facts = await kind.readFacts(session, params)
  if (!facts.ok) return { ok: false, fields: {}, problem: facts.problem }
  const factFaults = kind.checkFacts(params, facts.value, session)
  if (Object.keys(factFaults).length > 0) return refused(factFaults)

  const db = await store()
  for (const lock of kind.locks(params, session)) {
    const holder = await holderOf(db, lock.key)
    if (holder === null || mayBorrow(lock, holder, { kind: kind.kind, target: kind.target(params, session) })) continue
    return { ...refused(heldFault(kind, params, holder)), heldBy: holder.commandId }
  }
  const row = await insertDraft(db, {
    id,
    kind: kind.kind,
    actor: session.actor,
    actorName: session.displayName,
    target: kind.target(params, session),
    params: JSON.stringify(params),
    facts: JSON.stringify(facts.value),
    ...(batch === undefined ? {} : { batch }),
  })
  const title = kind.title(params, facts.value)
  return {
    ok: true,
    draft: {
      id: row.id,
      kind: kind.kind,
      title,
      lines: kind.summary(params, facts.value),
      consequence: kind.consequence(params, facts.value),
      button: title,
      expiresAt: new Date(Date.parse(row.created_at) + DRAFT_LIFE_MS).toISOString(),
      immediate: kind.immediate,
      warning: (await kind.warning?.(session, params, facts.value)) ?? null,
      proof: kind.proof?.(params, facts.value) ?? null,
    },
  }
}
