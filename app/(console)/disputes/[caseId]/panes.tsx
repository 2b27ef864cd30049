import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { cn } from '#components/ui/cn.ts'
import { HydratedButton } from '#components/ui/hydrated.tsx'
import { isPageKey } from '#components/ui/kbd.tsx'
import { caseColumns, caseFrame, caseTabs, factsPane } from '../class-names.ts'

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
          <HydratedButton
            key={pane}
            role="tab"
            aria-selected={shown === pane}
            onClick={() => setShown(pane)}
            className="min-h-8 short:min-h-7 flex-1 rounded-md font-[550] text-secondary-foreground text-sm aria-selected:bg-card aria-selected:text-foreground aria-selected:shadow-[0_0_0_1px_var(--border)]"
          >
            {word}
          </HydratedButton>
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

type Pane = 'queue' | 'thread' | 'facts'

interface Place {
  readonly pane: Pane
  /** CSS selectors; the first match gets the focus. */
  readonly fields: readonly string[]
}

const places: Readonly<Record<string, Place>> = {
  m: { pane: 'thread', fields: ['[name="body"]'] },
  n: { pane: 'facts', fields: ['[name="note"]'] },
  f: { pane: 'thread', fields: ['[name="search"]', '[data-search]'] },
  r: { pane: 'facts', fields: ['[name="decision"]:checked', '[name="decision"]'] },
}

/**
 * Keys move focus to the message, note, decision and search fields when the operator is not typing. Esc leaves a text
 * field and keeps its text. `show` selects a pane where only one is visible.
 */
function useCaseKeys(panes: RefObject<HTMLElement | null>, show: (pane: Pane) => void): void {
  const [wanted, setWanted] = useState<Place | null>(null)
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { activeElement } = document
    if (event.key === 'Escape' && !event.isComposing && !event.defaultPrevented) {
      if (activeElement instanceof HTMLTextAreaElement && panes.current?.contains(activeElement)) {
        leave(activeElement, panes.current)
      }
      return
    }
    const place = Object.hasOwn(places, event.key) ? places[event.key] : undefined
    if (place === undefined || !isPageKey(event) || fieldAt(place, panes.current) === undefined) return
    event.preventDefault()
    show(place.pane)
    // A new object each time, so that the same key runs the effect again.
    setWanted({ ...place })
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    // On `window`, so that listeners on `document` get the key first.
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [])
  // In an effect, because the pane must be visible first.
  useEffect(() => {
    if (wanted === null) return
    const field = fieldAt(wanted, panes.current)
    field?.focus()
    // The search field is rendered only after its button is clicked.
    if (field instanceof HTMLButtonElement) field.click()
  }, [wanted, panes])
}

const fieldAt = ({ fields }: Place, panes: HTMLElement | null): HTMLElement | undefined =>
  fields.flatMap((field) => panes?.querySelector<HTMLElement>(field) ?? [])[0]

function leave(field: HTMLElement, panes: HTMLElement): void {
  field.blur()
  panes.querySelector<HTMLElement>('[data-thread]')?.focus({ preventScroll: true })
}
