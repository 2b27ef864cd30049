import { CircleDashed, CloudOff, LogOut, Radio, RefreshCw, WifiOff } from 'lucide-react'
import { ExplainedBadge } from '#components/values/explained-badge.tsx'
import type { ConnectionWord } from './use-case-stream.ts'

const looks = {
  live: {
    meaning: 'good',
    icon: Radio,
    word: 'Live',
    explanation: 'The service tells of every message as it is posted.',
  },
  'catching up': {
    meaning: 'working',
    icon: CircleDashed,
    word: 'Catching up',
    explanation: 'What was posted meanwhile is being read.',
  },
  'checking every 5 s': {
    meaning: 'attention',
    icon: RefreshCw,
    word: 'Checking every 5 s',
    explanation: 'The service does not tell of messages right now, so the case is read every five seconds.',
  },
  offline: {
    meaning: 'attention',
    icon: CloudOff,
    word: 'Offline',
    explanation: 'The console cannot be reached. Check the connection. What stands here may be old.',
  },
  'session-over': {
    meaning: 'attention',
    icon: LogOut,
    word: 'Signed out',
    explanation: 'Your session is over. This goes on when you have signed in again.',
  },
  refused: {
    meaning: 'attention',
    icon: WifiOff,
    word: 'Not live',
    explanation: 'The console gives no news of this case. Reload the page to see what is new.',
  },
} as const

interface LiveProps {
  /** Null when there is nothing to report for this thread. */
  connection: ConnectionWord | null
}

/** This badge is the first item in its line to shrink. */
export function LiveBadge({ connection }: LiveProps) {
  return (
    <span role="status" className="flex min-w-8 empty:sr-only">
      {connection === null ? null : <ExplainedBadge {...looks[connection]} />}
    </span>
  )
}

export const LiveSentence = ({ connection }: LiveProps) =>
  connection === null ? null : (
    <p className="px-3.5 text-muted-foreground text-xs">
      {looks[connection].word}: {looks[connection].explanation}
    </p>
  )
