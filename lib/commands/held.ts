import 'server-only'
import type { LockHolder, LockKey } from '#lib/store/commands.ts'
import type { FieldFaults } from './field-faults.ts'
import type { AnyKind } from './kinds.ts'

/** Tells the second operator who was first, with what, and since when. */
export function heldFault(kind: AnyKind, params: unknown, holder: LockHolder): FieldFaults {
  const { field, what } = kind.heldWords(holder.key, params)
  const since = holder.sentAt === null ? '' : ` at ${holder.sentAt.slice(0, 19).replace('T', ' ')} UTC`
  const doubt =
    holder.state === 'not_applied' ? ' No effect of it shows, and who may confirm can free it on its page.' : ''
  return { [field]: `${what}: ${holder.actorName} sent it${since} for ${holder.target}.${doubt}` }
}

/** One of which no effect showed stands in no way of the same change of the same target: together they can have one effect. */
export const mayBorrow = (
  { forEver }: LockKey,
  holder: LockHolder,
  { kind, target }: Pick<LockHolder, 'kind' | 'target'>,
): boolean => forEver && holder.state === 'not_applied' && holder.kind === kind && holder.target === target
