import type { ReactNode } from 'react'
import { Badge } from '#components/ui/badge.tsx'
import { cn } from '#components/ui/cn.ts'
import { Check, CircleHelp, Hourglass, type Icon, Scale } from '#components/ui/icons.tsx'
import { useTabIndex } from '#components/ui/kbd.tsx'
import type { Scope } from '#lib/contract/scopes.ts'
import { caseStateWords } from '#lib/disputes/case-state.ts'
import { type Meaning, ownProperty, type StateWords } from '#lib/values/words.ts'

interface ExplainedProps {
  why: string
  className: string
  children: ReactNode
}

export function Explained({ why, className, children }: ExplainedProps) {
  const tabIndex = useTabIndex()
  return (
    <button
      type="button"
      aria-disabled="true"
      aria-description={why}
      data-hint={why}
      tabIndex={tabIndex}
      className={cn('min-h-6', className)}
    >
      {children}
    </button>
  )
}

export const MissingScope = ({ scope, children }: { scope: Scope; children: ReactNode }) => (
  <Explained
    why={`It needs the scope ${scope}.`}
    className="inline-flex cursor-not-allowed items-center rounded-sm px-1 font-[550] text-muted-foreground"
  >
    {children}
  </Explained>
)

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

export interface Looks {
  readonly words: (state: string) => StateWords
  readonly icons: Readonly<Record<string, Icon>>
}

export interface StateStyle extends StateWords {
  readonly icon: Icon
}

/** Apart from the other states, so that a case page loads only these words. */
export const caseLooks: Looks = { words: caseStateWords, icons: { OPEN: Scale, RESOLVED: Check } }

export function styleIn({ words, icons }: Looks, state: string): StateStyle {
  const known = words(state)
  return { ...known, icon: ownProperty(icons, state) ?? (known.meaning === 'working' ? Hourglass : CircleHelp) }
}
