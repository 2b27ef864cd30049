import { CircleDashed, CirclePause, CloudOff, Radio, RefreshCw } from 'lucide-react'
import { Chip } from '#components/ui/chip.tsx'
import { Hint } from '#components/ui/hint.tsx'
import type { ConnectionWord } from './use-case-stream.ts'

const looks = {
  live: { tone: 'good', icon: Radio, word: 'Live', sentence: 'The service tells of every message as it is posted.' },
  'catching up': {
    tone: 'working',
    icon: CircleDashed,
    word: 'Catching up',
    sentence: 'What was posted meanwhile is being read.',
  },
  'checking every 5 s': {
    tone: 'attention',
    icon: RefreshCw,
    word: 'Checking every 5 s',
    sentence: 'The service does not tell of news, so the case is read every five seconds.',
  },
  offline: {
    tone: 'attention',
    icon: CloudOff,
    word: 'Offline',
    sentence: 'The console does not answer. What stands here may be old.',
  },
  paused: {
    tone: 'attention',
    icon: CirclePause,
    word: 'Paused',
    sentence: 'Other tabs show cases live, and only so many can. This one goes on when you turn to it.',
  },
} as const

/** How current the thread is. */
export function LiveChip({ connection }: { connection: ConnectionWord }) {
  const { tone, icon: Icon, word, sentence } = looks[connection]
  return (
    <span role="status">
      <Hint text={sentence}>
        <Chip tone={tone} aria-description={sentence}>
          <Icon aria-hidden />
          {word}
        </Chip>
      </Hint>
    </span>
  )
}
