import {
  Ban,
  Check,
  CircleDashed,
  CircleHelp,
  CircleX,
  GitCompareArrows,
  Loader,
  type LucideIcon,
  ShieldQuestionMark,
} from 'lucide-react'
import type { Tone } from '#components/ui/chip.tsx'
import type { Outcome } from '#lib/commands/command.ts'

interface Look {
  readonly title: string
  readonly word: string
  readonly tone: Tone
  readonly icon: LucideIcon
}

/** One look for each outcome, wherever it is shown. */
export const outcomeLooks: Readonly<Record<Outcome['class'], Look>> = {
  sending: { title: 'Sending', word: 'on its way', tone: 'working', icon: Loader },
  done: { title: 'Done', word: 'done', tone: 'good', icon: Check },
  accepted: { title: 'Working', word: 'accepted', tone: 'working', icon: Loader },
  prepared: { title: 'Prepared', word: 'not confirmed', tone: 'neutral', icon: CircleDashed },
  failed: { title: 'Failed', word: 'failed', tone: 'danger', icon: CircleX },
  'no-effect': { title: 'No effect shows', word: 'no effect shows', tone: 'attention', icon: CircleHelp },
  refused: { title: 'Not done', word: 'not done', tone: 'attention', icon: Ban },
  changed: { title: 'Changed since you looked', word: 'not sent', tone: 'attention', icon: GitCompareArrows },
  unknown: { title: 'Not known yet', word: 'checking', tone: 'unknown', icon: CircleHelp },
  'step-up': { title: 'Waiting for a code', word: 'waiting', tone: 'attention', icon: ShieldQuestionMark },
}
