import { noContent, ok, type Reply } from './reply.ts'
import type { World } from './world.ts'

/** What resolving answers. Beside the reference stands a text that is none, under a name that speaks of refunds. */
export function resolutionReply({ variant }: World, reversal: string | null): Reply {
  const decoy = { refundPolicy: 'standard' }
  if (variant.resolveAnswer === 'none') return noContent
  if (variant.resolveAnswer === 'text') return ok(reversal)
  if (variant.resolveAnswer === 'operation')
    return ok({ ...decoy, referenceId: reversal, state: 'PROCESSED', message: '', accepted: false })
  if (variant.resolveAnswer === 'nested')
    return ok({ ...decoy, booked: { entries: reversal === null ? [] : [reversal] } })
  return ok({ ...decoy, ...(reversal === null ? {} : { entryNo: reversal }) })
}
