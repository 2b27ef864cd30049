'use client'

import { type ReactNode, useState } from 'react'
import { useAlive } from '#components/ui/alive.ts'
import { classes } from '#components/ui/classes.ts'

interface PanesProps {
  queue: ReactNode
  thread: ReactNode
  facts: ReactNode
}

const tabs = [
  ['queue', 'Queue'],
  ['thread', 'Thread'],
  ['facts', 'Decision'],
] as const

type Pane = (typeof tabs)[number][0]

/** Side by side where there is room for it; otherwise one at a time, chosen above. */
export function Panes({ queue, thread, facts }: PanesProps) {
  const [shown, setShown] = useState<Pane>('thread')
  const alive = useAlive()
  const seen = (pane: Pane) => (shown === pane ? 'flex' : 'hidden wide:flex')
  return (
    <div className="-mx-4 -my-5 sm:-mx-6 flex h-[calc(100dvh-3rem)] min-h-96 flex-col">
      <div role="tablist" aria-label="Parts of the case" className="flex gap-1 border-line border-b p-1.5 wide:hidden">
        {tabs.map(([pane, word]) => (
          <button
            key={pane}
            type="button"
            role="tab"
            disabled={!alive}
            aria-selected={shown === pane}
            onClick={() => setShown(pane)}
            className="min-h-8 flex-1 rounded-md font-[550] text-ink-2 text-sm aria-selected:bg-surface aria-selected:text-ink aria-selected:shadow-[0_0_0_1px_var(--line)]"
          >
            {word}
          </button>
        ))}
      </div>
      <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)] wide:grid-cols-[272px_minmax(0,1fr)_328px]">
        <div className={classes('min-h-0 min-w-0 flex-col border-line wide:border-r', seen('queue'))}>{queue}</div>
        <section aria-label="Case" className={classes('min-h-0 min-w-0 flex-col', seen('thread'))}>
          {thread}
        </section>
        <aside
          aria-label="Facts and decision"
          className={classes(
            'min-h-0 min-w-0 flex-col gap-3 overflow-y-auto border-line p-4 wide:border-l',
            seen('facts'),
          )}
        >
          {facts}
        </aside>
      </div>
    </div>
  )
}
