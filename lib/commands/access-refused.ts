import 'server-only'
import type { Refusal } from '#lib/authorization/judge.ts'
import { log } from '#lib/config/log.ts'
import type { Outcome } from '#lib/domain/command.ts'
import type { Session } from '#lib/session/session.ts'
import { inJournal } from '#lib/store/journal.ts'
import { recordAct } from '#lib/store/recorded-acts.ts'
import { store } from '#lib/store/store.ts'
import { onceIn } from './once-in.ts'
import { recordedAct } from './recorded-act.ts'

export const accessRefused = recordedAct('access.refused', ({ what }) => `Refused: ${what}`)

/** The same attempt of the same person is put on record once in so long, however often it is made. */
const EVERY_MS = 60_000

const shared = globalThis as typeof globalThis & { consoleRefusals?: Map<string, number> }

/**
 * Puts on record that somebody tried to change something that their known scopes do not let them change. `what`: the change
 * or the route; `target`: what it is about, empty where that is not known. Never fails: the refusal itself stands.
 */
export async function recordRefusal(session: Session, what: string, refusal: Refusal, target = ''): Promise<void> {
  if (!refusal.known) return
  shared.consoleRefusals ??= new Map()
  if (!onceIn(shared.consoleRefusals, `${session.actor} ${what} ${target}`, EVERY_MS)) return
  const needs = refusal.scopes.join(' or ')
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
