import { Badge } from '#components/ui/badge.tsx'
import { cn } from '#components/ui/cn.ts'
import { CornerUpLeft, Hourglass } from '#components/ui/icons.tsx'
import { shortTurnWords, type Turn, turnWords, unreadWords } from '#lib/disputes/unread/thread-state.ts'

interface TurnMarkProps {
  turn: Turn
  short?: boolean
}

export function TurnMark({ turn, short = false }: TurnMarkProps) {
  const Icon = turn === 'us' ? CornerUpLeft : Hourglass
  return (
    <span
      title={short ? turnWords(turn) : undefined}
      className={cn(
        'inline-flex min-w-0 items-center gap-1.5 [&_svg]:size-3.5 [&_svg]:shrink-0',
        turn === 'us' ? 'text-attention' : 'text-secondary-foreground',
      )}
    >
      <Icon aria-hidden strokeWidth={1.75} />
      <span className="truncate">{short ? shortTurnWords[turn] : turnWords(turn)}</span>
    </span>
  )
}

export function UnreadMark({ count }: { count: number }) {
  return count === 0 ? null : (
    <Badge variant="working" className="figures shrink-0" title={unreadWords(count)}>
      <span>
        {count.toLocaleString('en-US')}
        <span data-unread-word> unread</span>
      </span>
    </Badge>
  )
}
