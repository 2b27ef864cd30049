import { Badge } from '#components/ui/badge.tsx'
import type { Icon } from '#components/ui/icons.tsx'
import type { Meaning } from '#lib/values/words.ts'

interface ExplainedBadgeProps {
  word: string
  meaning: Meaning
  icon: Icon
  explanation?: string | undefined
  /** The service's name, on hover. */
  raw?: string
}

export function ExplainedBadge({ word, meaning, icon: Icon, explanation, raw }: ExplainedBadgeProps) {
  return (
    <Badge variant={meaning} aria-description={explanation} data-hint={explanation} title={raw} className="min-w-0">
      <Icon aria-hidden />
      <span className="truncate">{word}</span>
    </Badge>
  )
}
