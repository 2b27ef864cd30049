import 'server-only'
import { randomUUID } from 'node:crypto'
import { type Refusal, scopeWords } from '#lib/authorization/judge.ts'
import { enforcePolicyAtOnce } from '#lib/commands/policy/gate.ts'
import { effectDigest } from '#lib/commands/policy/limits.ts'
import { config } from '#lib/config/config.ts'
import { log } from '#lib/config/log.ts'
import { bootId, isFirstOf } from '#lib/config/per-process.ts'
import { isDatabaseError } from '#lib/database/database-error.ts'
import { inJournal } from '#lib/journal/sequencer.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import type { Trx } from '#lib/store/tables.ts'
import { type CommandReply, type Outcome, refusedUnsent } from './command.ts'
import { type AnyRecordCommand, type ConsoleRefusal, recordEntry } from './kind.ts'
import { LockFreed, LockTaken, takeLocks } from './locks.ts'
import { recorded, refusedByConsole } from './outcome.ts'
import { checkRequest, type DraftOptions, heldBy, type Refused } from './prepare.ts'
import { inTurn, takeRoom, tooManyChanges } from './rate-limit.ts'
import { type CommandRow, factsOf, paramsOf } from './row.ts'
import { whileSending } from './send.ts'
import { insertDraftIn, insertWithEvent, isSameChange, moveIn, type NewCommand } from './store.ts'
import { inNewTrace } from './trace.ts'
import { viewOf } from './view.ts'

/** One transaction stores the command, takes its locks, writes the records and appends the events. */
export const recordAtOnce = (
  session: Session,
  kind: AnyRecordCommand,
  input: unknown,
  options: DraftOptions = {},
): Promise<CommandReply | Refused> =>
  inNewTrace(kind.kind, async () => {
    const request = await checkRequest(session, kind, input, options)
    if (!request.ok) return request
    const { command } = request
    const refusal = (await kind.checkLast?.(session, JSON.parse(command.params))) ?? null
    const write = () => writeAtOnce(session, kind, command, refusal)
    return await whileSending(command.id, () => inTurn(session.actor, write))
  })

async function writeAtOnce(
  session: Session,
  kind: AnyRecordCommand,
  command: NewCommand,
  refusal: ConsoleRefusal | null,
): Promise<CommandReply | Refused> {
  const params: unknown = JSON.parse(command.params)
  try {
    const row = await inJournal(await store(), async (trx) => {
      if (!(await takeRoom(trx, command.actor, command.batch))) return null
      const drafted = await insertDraftIn(trx, command)
      await takeLocks(trx, command.id, kind.locks(params, session))
      const stop = await enforcePolicyAtOnce(trx, drafted)
      if (stop !== null) {
        const outcome = JSON.stringify(stop.outcome)
        return await moveIn(trx, command.id, { from: ['draft'], to: 'closed', outcome, note: stop.note })
      }
      const started = await moveIn(trx, command.id, { from: ['draft'], to: 'sent' })
      if (started === null || !isSameChange(command, started)) throw new Error('the store altered a change')
      return await record(trx, kind, started, refusal)
    })
    return row === null ? { ok: false, fields: {}, problem: tooManyChanges } : { ok: true, command: viewOf(row) }
  } catch (error) {
    if (error instanceof LockFreed) return await writeAtOnce(session, kind, command, refusal)
    if (error instanceof LockTaken && error.holder !== null) return heldBy(session, kind, params, error.holder)
    throw error
  }
}

/** Whether a failed {@link recordAtOnce} wrote nothing for certain: only a commit leaves a doubt. */
export const wroteNothing = (error: unknown): boolean => isDatabaseError(error) && error.statement !== 'commit'

/** In the transaction that moved the command to `sent`. `refusal`: a reason found before it. */
export async function record(
  trx: Trx,
  kind: AnyRecordCommand,
  started: CommandRow,
  refusal: ConsoleRefusal | null,
): Promise<CommandRow> {
  const [params, facts] = [paramsOf(started), factsOf(started)]
  const act = { commandId: started.id, actor: started.actor, actorName: started.actor_name, params, facts }
  const refused = refusal ?? (await kind.checkUnderLock?.(trx, act)) ?? null
  const { state, outcome, note } =
    refused === null ? recorded(kind.describeSuccess(params, facts)) : refusedByConsole(refused)
  const move = { from: ['sent'], to: state, outcome: JSON.stringify(outcome), note } as const
  const settled = await moveIn(trx, started.id, move)
  if (settled === null) throw new Error(`command ${started.id} was moved by another process`)
  if (refused === null) await kind.record(trx, act)
  return settled
}

export const accessRefused = recordEntry({ kind: 'access.refused', title: ({ what }) => `Refused: ${what}` })

const EVERY_MS = 60_000

/** Never throws, because the refusal is answered anyway. `what`: the change or route. */
export async function recordRefusal(session: Session, what: string, refusal: Refusal, target = ''): Promise<void> {
  if (!refusal.known || !isFirstOf('refusals', `${session.actor} ${what} ${target}`, EVERY_MS)) return
  const needs = scopeWords(refusal)
  const outcome: Outcome = refusedUnsent(`It needs ${needs}`, '')
  try {
    await inJournal(await store(), (trx) =>
      recordAct(trx, {
        kind: 'access.refused',
        actor: session.actor,
        actorName: session.displayName,
        target,
        params: { what },
        outcome: JSON.stringify(outcome),
        note: { what, needs },
      }),
    )
  } catch {
    log().error({ event: 'access-refused', actor: session.actor, what }, 'a refusal could not be recorded')
  }
}

export interface RecordedAct {
  readonly kind:
    | 'statement.import'
    | 'statement.discard'
    | 'statement.restore'
    | 'statement.edit-line'
    | 'passkey.add'
    | 'access.refused'
    | 'evidence.export'
  readonly actor: string
  readonly actorName: string
  readonly target: string
  readonly params: Readonly<Record<string, string | number>>
  readonly outcome: string
  readonly note?: Readonly<Record<string, unknown>>
}

/** Call it in the act's journal transaction. Returns the command id. */
export async function recordAct(trx: Trx, { kind, actor, actorName, ...act }: RecordedAct): Promise<string> {
  const now = new Date().toISOString()
  const refused = kind === 'access.refused'
  const id = randomUUID()
  const policy = config().policy.version
  const [params, facts] = [JSON.stringify(act.params), '{}']
  const command = {
    id,
    kind,
    state: refused ? 'refused' : 'done',
    actor,
    actor_name: actorName,
    target: act.target,
    params,
    facts,
    effect: effectDigest({ id, kind, actor, params, facts, policy, confirm_text: null }),
    policy,
    outcome: act.outcome,
    created_at: now,
    sent_at: refused ? null : now,
    settled_at: now,
    boot_id: bootId(),
    // One statement counts as one act in the rate limit.
    batch: act.target,
  }
  await insertWithEvent(trx, command, now, act.note)
  return id
}
