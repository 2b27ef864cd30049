import type { QueueRow } from '#lib/disputes/queue/queue.ts'
import { visibleText } from '#lib/values/visible-text.ts'

/** Who has a case. */
export function Assignee({ claim }: Pick<QueueRow, 'claim'>) {
  if (claim === 'hidden') return <span className="text-muted-foreground">–</span>
  if (claim === null) return <span className="text-muted-foreground">Unassigned</span>
  if (claim.mine) return <span className="font-semibold">you</span>
  const name = visibleText(claim.name)
  return (
    <bdi className="inline-block max-w-[20ch] truncate align-middle" title={name}>
      {name}
    </bdi>
  )
}
