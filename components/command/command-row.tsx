import Link from 'next/link'
import type { ReactNode } from 'react'
import { Badge } from '#components/ui/badge.tsx'
import {
  Ban,
  Check,
  CircleDashed,
  CircleHelp,
  CircleX,
  GitCompareArrows,
  type Icon,
  Loader,
  ShieldQuestionMark,
  Users,
} from '#components/ui/icons.tsx'
import type { CommandView, Outcome } from '#lib/commands/command.ts'
import type { Meaning } from '#lib/values/words.ts'

export function OutcomeBadge({ command: { outcome } }: { command: Pick<CommandView, 'outcome'> }) {
  const late = outcome.class === 'done' && outcome.late === true
  const { word, meaning, icon } = outcomeStyles[late ? 'no-effect' : outcome.class]
  return (
    <Badge variant={meaning} icon={icon}>
      {late ? 'It happened after all' : word}
    </Badge>
  )
}

const rowTitle = 'min-w-0 flex-1 basis-[min(12rem,40%)] break-words underline-offset-4 hover:underline'

export const CommandRow = ({ command, children }: { command: CommandView; children?: ReactNode }) => (
  <li className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1 border-t px-3.5 py-1.5 text-sm first:border-t-0">
    <OutcomeBadge command={command} />
    <Link href={`/activity/${command.id}`} prefetch={false} className={rowTitle}>
      {command.title}
    </Link>
    {children}
  </li>
)

interface OutcomeStyle {
  readonly title: string
  readonly word: string
  readonly meaning: Meaning
  readonly icon: Icon
}

export const outcomeStyles: Readonly<Record<Outcome['class'], OutcomeStyle>> = {
  sending: { title: 'Sending', word: 'on its way', meaning: 'working', icon: Loader },
  done: { title: 'Done', word: 'done', meaning: 'good', icon: Check },
  accepted: { title: 'Not confirmed yet', word: 'not confirmed yet', meaning: 'working', icon: Loader },
  prepared: { title: 'Prepared', word: 'not confirmed', meaning: 'neutral', icon: CircleDashed },
  failed: { title: 'Failed', word: 'failed', meaning: 'danger', icon: CircleX },
  'no-effect': { title: 'No effect found', word: 'no effect found', meaning: 'attention', icon: CircleHelp },
  refused: { title: 'Not done', word: 'not done', meaning: 'attention', icon: Ban },
  cancelled: {
    title: 'Cancelled by its author',
    word: 'cancelled by its author',
    meaning: 'neutral',
    icon: Ban,
  },
  changed: { title: 'Changed since you checked', word: 'not sent', meaning: 'attention', icon: GitCompareArrows },
  unknown: { title: 'Not known yet', word: 'checking', meaning: 'unknown', icon: CircleHelp },
  approval: { title: 'Waiting for approval', word: 'waiting', meaning: 'attention', icon: Users },
  'step-up': { title: 'Waiting for a code', word: 'waiting', meaning: 'attention', icon: ShieldQuestionMark },
}
