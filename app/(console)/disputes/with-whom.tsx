import type { QueueRow } from '#lib/domain/queue.ts'
import { visibleText } from '#lib/domain/visible-text.ts'

/** Who has a case. */
export function WithWhom({ claim }: Pick<QueueRow, 'claim'>) {
  if (claim === 'hidden') return <span className="text-ink-3">–</span>
  if (claim === null) return <span className="text-ink-3">free</span>
  if (claim.mine) return <span className="font-semibold">you</span>
  const name = visibleText(claim.name)
  return (
    <bdi className="inline-block max-w-[20ch] truncate align-middle" title={name}>
      {name}
    </bdi>
  )
}
