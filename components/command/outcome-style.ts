import { CircleX, GitCompareArrows, Loader, ShieldQuestionMark, Users } from 'lucide-react'
import { Ban, Check, CircleDashed, CircleHelp, type Icon } from '#components/ui/icons.tsx'
import type { Outcome } from '#lib/commands/command.ts'
import type { Meaning } from '#lib/values/words.ts'

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
  'no-effect': { title: 'No effect shows', word: 'no effect shows', meaning: 'attention', icon: CircleHelp },
  refused: { title: 'Not done', word: 'not done', meaning: 'attention', icon: Ban },
  cancelled: {
    title: 'Cancelled by its author',
    word: 'cancelled by its author',
    meaning: 'neutral',
    icon: Ban,
  },
  changed: { title: 'Changed since you looked', word: 'not sent', meaning: 'attention', icon: GitCompareArrows },
  unknown: { title: 'Not known yet', word: 'checking', meaning: 'unknown', icon: CircleHelp },
  approval: { title: 'Waiting for approval', word: 'waiting', meaning: 'attention', icon: Users },
  'step-up': { title: 'Waiting for a code', word: 'waiting', meaning: 'attention', icon: ShieldQuestionMark },
}
