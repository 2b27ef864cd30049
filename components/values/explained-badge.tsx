import type { LucideIcon } from 'lucide-react'
import { Badge } from '#components/ui/badge.tsx'
import type { Meaning } from '#lib/values/state-words.ts'
import { Hint } from './hint.tsx'

interface ExplainedBadgeProps {
  word: string
  meaning: Meaning
  icon: LucideIcon
  /** One sentence, shown on hover and read out by screen readers. */
  explanation?: string | undefined
  /** The service's own name, on hover as well. */
  raw?: string
}

/** A badge with an icon, and on hover the sentence that explains its word. */
export function ExplainedBadge({ word, meaning, icon: Icon, explanation, raw }: ExplainedBadgeProps) {
  const badge = (
    <Badge variant={meaning} aria-description={explanation} title={raw} className="min-w-0">
      <Icon aria-hidden />
      <span className="truncate">{word}</span>
    </Badge>
  )
  return explanation === undefined ? badge : <Hint text={explanation}>{badge}</Hint>
}
