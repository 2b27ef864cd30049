import 'server-only'
import type { CommandView, Outcome } from '#lib/domain/command.ts'
import { handAfterSeconds, type LookedAt } from '#lib/domain/look-schedule.ts'
import type { CommandRow } from '#lib/store/commands.ts'
import { type AnyKind, kindNamed } from './kinds.ts'
import { OTHER_VERSION, outcomeByState } from './other-version.ts'
import { nextLookAt } from './watched.ts'

/** The facts a command was drafted on, as the service gave them. */
export const factsOf = (row: CommandRow): Readonly<Record<string, string>> =>
  JSON.parse(row.facts) as Readonly<Record<string, string>>

export const paramsOf = (row: CommandRow): unknown => JSON.parse(row.params)

/** The kind of a command that this process makes. For rows that may be of another version, see {@link kindNamed}. */
export function kindOf(row: Pick<CommandRow, 'id' | 'kind'>): AnyKind {
  const kind = kindNamed(row.kind)
  if (kind === undefined) throw new Error(`command ${row.id} is of no known kind`)
  return kind
}

/** A command as its operator sees it; `outcome` overrides what is stored. */
export function viewOf(row: CommandRow, outcome?: Outcome): CommandView {
  const kind = kindNamed(row.kind)
  return {
    id: row.id,
    kind: row.kind,
    title: kind === undefined ? row.kind : kind.title(paramsOf(row), factsOf(row)),
    target: row.target,
    actorName: row.actor_name,
    sentAt: row.sent_at,
    settledAt: row.settled_at,
    outcome: outcome ?? (kind === undefined ? outcomeByState(row) : storedOutcome(row)),
    nextLookAt: nextLookAt(row.id),
    readable: kind !== undefined && kind.look !== null,
    settledByHand: mayBeSettledByHand(row),
  }
}

/** As what a command is looked at; null when it is not, or no longer. */
export function lookedAt({ state, look_until: until }: CommandRow): LookedAt | null {
  if (state === 'unknown' || state === 'accepted') return state
  return state === 'not_applied' && until !== null && Date.parse(until) > Date.now() ? state : null
}

/** Its end is not known, and nobody can read it, or the console has looked long enough. */
export function mayBeSettledByHand(row: CommandRow): boolean {
  if (row.state !== 'unknown' && row.state !== 'accepted') return false
  const kind = kindNamed(row.kind)
  if (kind === undefined) return false
  if (kind.look === null) return true
  const elapsedSeconds = (Date.now() - Date.parse(row.sent_at ?? row.created_at)) / 1000
  return elapsedSeconds >= handAfterSeconds(row.state)
}

/** What a person is told of a command that was sent and nobody knows the end of. */
export function unknownOutcome(row: Pick<CommandRow, 'kind'>): Outcome {
  const { checking, unknownAdvice: advice } = kindNamed(row.kind) ?? { checking: '', unknownAdvice: OTHER_VERSION }
  return { class: 'unknown', checking, advice, traceId: null }
}

/** One that is sent again after a step-up still carries what it waited for until the answer comes. */
function storedOutcome(row: CommandRow): Outcome {
  if (row.state === 'draft') return { class: 'prepared' }
  return row.outcome === null || row.state === 'sent' ? { class: 'sending' } : (JSON.parse(row.outcome) as Outcome)
}
