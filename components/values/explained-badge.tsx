import { Badge } from '#components/ui/badge.tsx'
import { Check, CircleHelp, Hourglass, type Icon, Scale } from '#components/ui/icons.tsx'
import { caseStateWords } from '#lib/disputes/case-state.ts'
import { type Meaning, ownProperty, type StateWords } from '#lib/values/words.ts'

interface ExplainedBadgeProps {
  word: string
  meaning: Meaning
  icon: Icon
  sentence?: string | undefined
  /** The service's name, on hover. */
  raw?: string
}

export const ExplainedBadge = ({ word, meaning, icon: Icon, sentence, raw }: ExplainedBadgeProps) => (
  <Badge variant={meaning} aria-description={sentence} data-hint={sentence} title={raw} className="min-w-0">
    <Icon aria-hidden />
    <span className="truncate">{word}</span>
  </Badge>
)

export interface Looks {
  readonly words: (state: string) => StateWords
  readonly icons: Readonly<Record<string, Icon>>
}

export interface StateStyle extends StateWords {
  readonly icon: Icon
}

/** A separate file, so that a case page loads only these words. */
export const caseLooks: Looks = { words: caseStateWords, icons: { OPEN: Scale, RESOLVED: Check } }

export function styleIn({ words, icons }: Looks, state: string): StateStyle {
  const known = words(state)
  return { ...known, icon: ownProperty(icons, state) ?? (known.meaning === 'working' ? Hourglass : CircleHelp) }
}
