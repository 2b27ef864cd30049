import { noContent, ok, type Reply } from './reply.ts'
import type { World } from './world.ts'

/** What resolving answers. Beside the reference stands a text that is none, under a name that speaks of refunds. */
export function resolutionReply({ habits }: World, reversal: string | null): Reply {
  const decoy = { refundPolicy: 'standard' }
  if (habits.resolveAnswer === 'none') return noContent
  if (habits.resolveAnswer === 'text') return ok(reversal)
  if (habits.resolveAnswer === 'nested')
    return ok({ ...decoy, booked: { entries: reversal === null ? [] : [reversal] } })
  return ok({ ...decoy, ...(reversal === null ? {} : { entryNo: reversal }) })
}
