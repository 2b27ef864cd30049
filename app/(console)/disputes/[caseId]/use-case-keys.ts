import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { isPageKey } from '#components/ui/page-key.ts'

export type Pane = 'queue' | 'thread' | 'facts'

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
export function useCaseKeys(panes: RefObject<HTMLElement | null>, show: (pane: Pane) => void): void {
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
