import { CircleDashed, CirclePause, CloudOff, Radio, RefreshCw } from 'lucide-react'
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
    explanation: 'The service does not tell of news, so the case is read every five seconds.',
  },
  offline: {
    meaning: 'attention',
    icon: CloudOff,
    word: 'Offline',
    explanation: 'The console does not answer. What stands here may be old.',
  },
  paused: {
    meaning: 'attention',
    icon: CirclePause,
    word: 'Paused',
    explanation: 'Other tabs show cases live, and only so many can. This one goes on when you turn to it.',
  },
} as const

/** How current the thread is. Of the words in a line, this one gives way when there is no room. */
export function LiveBadge({ connection }: { connection: ConnectionWord }) {
  return (
    <span role="status" className="flex min-w-8">
      <ExplainedBadge {...looks[connection]} />
    </span>
  )
}

/** `Live: The service tells of every message as it is posted.` */
export const liveSentence = (connection: ConnectionWord): string =>
  `${looks[connection].word}: ${looks[connection].explanation}`
