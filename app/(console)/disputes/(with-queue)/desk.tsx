'use client'

import { useParams } from 'next/navigation'
import { createContext, type ReactNode, type RefObject, useContext, useMemo, useRef, useState } from 'react'
import { SkipLink } from '#components/frame/page-head.tsx'
import { cn } from '#components/ui/cn.ts'
import { HydratedButton } from '#components/ui/hydrated.tsx'
import { cleanReference } from '#lib/values/text.ts'
import { caseColumns, caseFrame, caseTabs } from '../class-names.ts'

const tabs = [
  ['queue', 'Queue'],
  ['thread', 'Thread'],
  ['facts', 'Decision'],
] as const

export type Pane = (typeof tabs)[number][0]

interface Desk {
  /** The pane of narrow screens. */
  readonly shown: Pane
  show(pane: Pane): void
  readonly frame: RefObject<HTMLElement | null>
}

const DeskContext = createContext<Desk>({ shown: 'thread', show: () => {}, frame: { current: null } })

export const useDesk = (): Desk => useContext(DeskContext)

/** Hides the pane on narrow screens while another one is shown. */
export const usePaneClass = (pane: Pane): string =>
  useDesk().shown === pane ? 'flex print:block' : 'hidden wide:flex print:block'

/** The id in the address: that of the case on screen, also while the next one is read. */
export const useCaseId = (): string => cleanReference(decodeURIComponent(useParams<{ caseId: string }>().caseId))

/** Panes are side by side on wide screens; otherwise tabs show one at a time. The queue stays between cases. */
export function CaseDesk({ queue, children }: { queue: ReactNode; children: ReactNode }) {
  const caseId = useCaseId()
  const [chosen, choose] = useState<{ readonly pane: Pane; readonly caseId: string }>({ pane: 'thread', caseId })
  const shown = chosen.caseId === caseId ? chosen.pane : 'thread'
  const frame = useRef<HTMLDivElement>(null)
  const desk = useMemo(() => ({ shown, show: (pane: Pane) => choose({ pane, caseId }), frame }), [shown, caseId])
  return (
    <DeskContext value={desk}>
      <div ref={frame} className={caseFrame}>
        <SkipLink to="thread">Skip to the thread</SkipLink>
        <div role="tablist" aria-label="Parts of the case" className={caseTabs}>
          {tabs.map(([pane, word]) => (
            <HydratedButton
              key={pane}
              role="tab"
              aria-selected={shown === pane}
              onClick={() => desk.show(pane)}
              className="min-h-8 short:min-h-7 flex-1 rounded-md font-[550] text-secondary-foreground text-sm aria-selected:bg-card aria-selected:text-foreground aria-selected:shadow-[0_0_0_1px_var(--border)]"
            >
              {word}
            </HydratedButton>
          ))}
        </div>
        <div className={caseColumns}>
          <div
            className={cn(
              'min-h-0 min-w-0 flex-col wide:border-r print:hidden',
              shown === 'queue' ? 'flex' : 'hidden wide:flex',
            )}
          >
            {queue}
          </div>
          {children}
        </div>
      </div>
    </DeskContext>
  )
}

export const CaseProblem = ({ children }: { children: ReactNode }) => (
  <section
    id="thread"
    tabIndex={-1}
    aria-label="Case"
    className={cn(
      'min-h-0 min-w-0 flex-col overflow-y-auto p-4 outline-none sm:px-6 wide:col-span-2',
      usePaneClass('thread'),
    )}
  >
    {children}
  </section>
)
