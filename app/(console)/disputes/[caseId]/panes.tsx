import { type ReactNode, useEffect, useRef, useState } from 'react'
import { cn } from '#components/ui/cn.ts'
import { useHydrated } from '#components/ui/use-hydrated.ts'
import { caseColumns, caseFrame, caseTabs, factsPane } from './pane-layout.ts'
import { type Pane, useCaseKeys } from './use-case-keys.ts'

interface PanesProps {
  queue: ReactNode
  thread: ReactNode
  /** Receives a function that scrolls to a message by its id. */
  facts: (showMessage: (id: string) => void) => ReactNode
}

const tabs = [
  ['queue', 'Queue'],
  ['thread', 'Thread'],
  ['facts', 'Decision'],
] as const

/** Panes are side by side on wide screens; otherwise tabs show one at a time. */
export function Panes({ queue, thread, facts }: PanesProps) {
  const [shown, setShown] = useState<Pane>('thread')
  const [wanted, setWanted] = useState<{ readonly id: string } | null>(null)
  const panes = useRef<HTMLDivElement>(null)
  useCaseKeys(panes, setShown)
  const hydrated = useHydrated()
  const showMessage = (id: string) => {
    setShown('thread')
    // A new object each time, so that choosing the same message again runs the effect again.
    setWanted({ id })
  }
  // In an effect, because the thread pane must be visible first.
  useEffect(() => {
    if (wanted === null) return
    const message = panes.current?.querySelector<HTMLElement>(`[data-message="${CSS.escape(wanted.id)}"]`)
    message?.scrollIntoView({ block: 'center' })
    message?.focus({ preventScroll: true })
  }, [wanted])
  const seen = (pane: Pane) => (shown === pane ? 'flex' : 'hidden wide:flex')
  return (
    <div ref={panes} className={caseFrame}>
      <div role="tablist" aria-label="Parts of the case" className={caseTabs}>
        {tabs.map(([pane, word]) => (
          <button
            key={pane}
            type="button"
            role="tab"
            disabled={!hydrated}
            aria-selected={shown === pane}
            onClick={() => setShown(pane)}
            className="min-h-8 short:min-h-7 flex-1 rounded-md font-[550] text-secondary-foreground text-sm aria-selected:bg-card aria-selected:text-foreground aria-selected:shadow-[0_0_0_1px_var(--border)]"
          >
            {word}
          </button>
        ))}
      </div>
      <div className={caseColumns}>
        <div className={cn('min-h-0 min-w-0 flex-col wide:border-r', seen('queue'))}>{queue}</div>
        <section aria-label="Case" className={cn('min-h-0 min-w-0 flex-col', seen('thread'))}>
          {thread}
        </section>
        <aside aria-label="Facts and decision" className={cn(factsPane, seen('facts'))}>
          {facts(showMessage)}
        </aside>
      </div>
    </div>
  )
}
