import { TurnMark, UnreadMark } from '#components/disputes/turn-mark.tsx'
import { useThreadState } from '#components/disputes/use-thread-state.ts'
import type { ThreadState } from '#lib/disputes/unread/thread-state.ts'

interface TurnProps {
  id: string
  /** The state that came with the list; null while unknown. */
  listed: ThreadState | null
}

export function TurnCell({ id, listed }: TurnProps) {
  const thread = useThreadState(id, listed)
  return (
    // As wide with an unread mark as without one, so that updates do not move the columns.
    <span className="flex w-[21ch] items-center max-[1535px]:w-[15.75ch] gap-2">
      {thread === null || thread.turn === null ? '–' : <TurnMark turn={thread.turn} short />}
      <UnreadMark count={thread?.unread ?? 0} />
    </span>
  )
}

export function TurnLine({ id, listed }: TurnProps) {
  const thread = useThreadState(id, listed)
  if (thread === null || thread.turn === null) return null
  return (
    <div className="flex min-h-5.5 items-center justify-between gap-2 text-xs">
      <TurnMark turn={thread.turn} />
      <UnreadMark count={thread.unread} />
    </div>
  )
}
