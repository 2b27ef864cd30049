import { type ComponentProps, type ReactNode, useEffect, useState } from 'react'
import { cn } from '#components/ui/cn.ts'
import { Input } from '#components/ui/input.tsx'
import { isPageKey, useKeyDown } from '#components/ui/kbd.tsx'
import { factsPane } from '../../class-names.ts'
import { type Pane, useDesk, usePaneClass } from '../desk.tsx'

interface PanesProps {
  thread: ReactNode
  /** Receives a function that scrolls to a message by its id. */
  facts: (showMessage: (id: string) => void) => ReactNode
}

export function Panes({ thread, facts }: PanesProps) {
  const { show, frame } = useDesk()
  useCaseKeys()
  const [wanted, setWanted] = useState<{ readonly id: string } | null>(null)
  const showMessage = (id: string) => {
    show('thread')
    // A new object each time, so that choosing the same message again runs the effect again.
    setWanted({ id })
  }
  // In an effect, because the thread pane must be visible first.
  useEffect(() => {
    if (wanted === null) return
    const message = frame.current?.querySelector<HTMLElement>(`[data-message="${CSS.escape(wanted.id)}"]`)
    if (!message) return
    message.scrollIntoView({ block: 'center' })
    message.focus({ preventScroll: true })
    const again = requestAnimationFrame(() => message.scrollIntoView({ block: 'center' }))
    return () => cancelAnimationFrame(again)
  }, [wanted, frame])
  return (
    <>
      <section aria-label="Case" className={cn('min-h-0 min-w-0 flex-col', usePaneClass('thread'))}>
        {thread}
      </section>
      <aside
        tabIndex={-1}
        aria-label="Facts and decision"
        className={cn('outline-none', factsPane, usePaneClass('facts'))}
      >
        {facts(showMessage)}
      </aside>
    </>
  )
}

interface Place {
  readonly pane: Pane
  /** CSS selectors; the first match gets the focus. */
  readonly fields: readonly string[]
}

const places: Readonly<Record<string, Place>> = {
  m: { pane: 'thread', fields: ['[name="body"]'] },
  n: { pane: 'facts', fields: ['[name="note"]'] },
  f: { pane: 'thread', fields: ['[name="search"]', '[data-search]'] },
  r: { pane: 'facts', fields: ['[name="decision"]:checked', '[name="decision"]', '[data-resolve]'] },
}

/** Keys move focus to the fields, unless the operator types. Esc leaves a field and keeps its text. */
function useCaseKeys(): void {
  const { frame: panes } = useDesk()
  const goTo = useGoTo()
  useKeyDown('window', (event) => {
    const { activeElement } = document
    if (event.key === 'Escape' && !event.isComposing && !event.defaultPrevented) {
      if (activeElement instanceof HTMLTextAreaElement && panes.current?.contains(activeElement)) {
        leave(activeElement)
      }
      return
    }
    const place = Object.hasOwn(places, event.key) ? places[event.key] : undefined
    if (place === undefined || !isPageKey(event) || fieldAt(place, panes.current) === undefined) return
    event.preventDefault()
    goTo(place)
  })
}

export function useGoTo(): (place: Place) => void {
  const { show, frame } = useDesk()
  const [wanted, setWanted] = useState<Place | null>(null)
  // In an effect, because the pane must be visible first.
  useEffect(() => {
    if (wanted === null) return
    const field = fieldAt(wanted, frame.current)
    field?.focus()
    // The search field is rendered only after its button is clicked.
    if (field instanceof HTMLButtonElement) field.click()
  }, [wanted, frame])
  return (place) => {
    show(place.pane)
    // A new object each time, so that the same place runs the effect again.
    setWanted({ ...place })
  }
}

const fieldAt = ({ fields }: Place, panes: HTMLElement | null): HTMLElement | undefined =>
  fields.flatMap((field) => panes?.querySelector<HTMLElement>(field) ?? [])[0]

/** Moves the focus from a text field to the thread, or where that is hidden, to the pane of the field. */
export function leave(field: HTMLElement): void {
  const thread = document.querySelector<HTMLElement>('[data-thread]')
  const target = thread?.checkVisibility() ? thread : field.closest('aside')
  target?.focus({ preventScroll: true })
}

/** Rendered with focus at once, while the search code is still loading. */
export const SearchField = (props: ComponentProps<'input'>) => (
  <Input
    ref={focus}
    name="search"
    aria-label="Search the thread"
    placeholder="Search the thread"
    autoComplete="off"
    {...props}
  />
)

const focus = (field: HTMLInputElement | null) => field?.focus()

export const searchLine = 'flex shrink-0 items-center gap-1 border-b px-4 py-2 short:py-0.5 sm:px-6'
