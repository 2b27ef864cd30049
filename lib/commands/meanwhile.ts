import 'server-only'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { canView } from './access.ts'
import { actorWords } from './actor-words.ts'
import type { MadeMeanwhile, Meanwhile } from './command.ts'
import { findMadeBetween } from './command-lists.ts'
import type { CommandRow } from './command-table.ts'
import { kindOf, paramsOf, viewOf } from './view.ts'

/** Includes changes that may have taken effect. `hidden` counts those that the person may not see. */
export async function madeMeanwhile(session: Session, row: CommandRow): Promise<Meanwhile> {
  const { kind, movedBy = [kind] } = kindOf(row)
  const lookedAt = row.created_at
  const endedAt = row.settled_at ?? new Date().toISOString()
  const changes: MadeMeanwhile[] = []
  let hidden = 0
  for (const other of await findMadeBetween(await store(), { kinds: movedBy, lookedAt, endedAt })) {
    if (other.id === row.id || !isOfSameObject(row, other)) continue
    if (await canView(session, other)) changes.push(madeAs(session, other, lookedAt))
    else hidden += 1
  }
  return { changes, hidden }
}

/** Not sure if it was sent before the read or is still unknown. */
function madeAs(session: Session, other: CommandRow, lookedAt: string): MadeMeanwhile {
  const sentAt = other.sent_at ?? other.created_at
  const tookEffect = other.state === 'done' || other.state === 'applied'
  const sure = tookEffect && sentAt >= lookedAt
  return {
    id: other.id,
    title: viewOf(other).title,
    actorName: nameOf(session, other),
    at: sure ? (other.settled_at ?? sentAt) : sentAt,
    sure,
  }
}

function nameOf(session: Session, other: CommandRow): string {
  const words = actorWords(session, other)
  return other.actor === session.actor && words === session.displayName ? 'you' : words
}

/** Commands of one kind may concern different parts of a target; then their keys decide. */
function isOfSameObject(row: CommandRow, other: CommandRow): boolean {
  const keys = keysOf(row)
  if (keysOf(other).some((key) => keys.includes(key))) return true
  if (row.kind === other.kind && keys.length > 0) return false
  return row.target.toLowerCase() === other.target.toLowerCase()
}

/** A `forEver` key, a bank reference, is a different object. */
const keysOf = (row: CommandRow): readonly string[] =>
  kindOf(row)
    .locks(paramsOf(row), { actor: row.actor })
    .flatMap(({ key, forEver }) => (forEver ? [] : [key]))
