import 'server-only'
import type { LockHolder } from '#lib/store/commands.ts'
import type { FieldFaults } from './field-faults.ts'
import type { AnyKind } from './kinds.ts'

/** Tells the second operator who was first, with what, and since when. */
export function heldFault(kind: AnyKind, params: unknown, holder: LockHolder): FieldFaults {
  const { field, what } = kind.heldWords(holder.key, params)
  const since = holder.sentAt === null ? '' : ` at ${holder.sentAt.slice(0, 19).replace('T', ' ')} UTC`
  return { [field]: `${what}: ${holder.actorName} sent it${since} for ${holder.target}.` }
}
