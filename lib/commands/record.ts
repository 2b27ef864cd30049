import 'server-only'
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { type Refusal, scopeWords } from '#lib/authorization/judge.ts'
import { boundedCache } from '#lib/config/cache.ts'
import { config } from '#lib/config/config.ts'
import { log } from '#lib/config/log.ts'
import { bootId, perProcess } from '#lib/config/per-process.ts'
import type { CommandKindName } from '#lib/kind-names.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import type { Trx } from '#lib/store/tables.ts'
import type { Outcome } from './command.ts'
import { inJournal } from './journal/append.ts'
import type { AnyFacts, RecordKind } from './kind.ts'
import { effectDigest } from './policy/rules.ts'
import { insertWithEvent } from './store.ts'

type Params = Readonly<Record<string, string | number>>

/** For changes that are recorded by the transaction that makes them. */
export const recordedAct = (
  kind: CommandKindName,
  title: (params: Params) => string,
): RecordKind<Params, AnyFacts> => ({
  kind,
  params: z.never(),
  immediate: false,
  needsEnrolment: false,
  takesCode: false,
  checkParams: () => ({ params: 'This is not made as a change of its own.' }),
  readFacts: async () => ({ ok: true, value: {}, serviceTime: null }),
  checkFacts: () => ({}),
  target: () => '',
  locks: () => [],
  describeLockConflict: () => ({ field: 'params', what: '' }),
  title,
  summary: () => [],
  factLines: () => [],
  consequence: () => '',
  send: async () => ({
    kind: 'own',
    refusal: { title: 'This is not made as a change of its own', advice: 'Nothing was changed.' },
  }),
  describeSuccess: () => ({ steps: [], lines: [] }),
  reconcileScope: 'own',
  reconcile: null,
  checking: '',
  unknownAdvice: '',
})

export const accessRefused = recordedAct('access.refused', ({ what }) => `Refused: ${what}`)

/** A repeated attempt is recorded once per interval. */
const EVERY_MS = 60_000
const KEPT_MAX = 1_000

/** Never throws, because the refusal is answered anyway. `what`: the change or route. */
export async function recordRefusal(session: Session, what: string, refusal: Refusal, target = ''): Promise<void> {
  if (!refusal.known) return
  const lately = perProcess('refusals', () => boundedCache<true>(KEPT_MAX, EVERY_MS))
  const attempt = `${session.actor} ${what} ${target}`
  if (lately.has(attempt)) return
  lately.set(attempt, true)
  const needs = scopeWords(refusal)
  const outcome: Outcome = { class: 'refused', sent: false, title: `It needs ${needs}`, advice: '', problem: null }
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
    log().error({ event: 'access-refused', actor: session.actor, what }, 'a refusal could not be put on record')
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
    effect: effectDigest({ id, kind, actor, params, facts, policy }),
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
