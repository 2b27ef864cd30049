import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { isPageKey } from '#components/ui/page-key.ts'

export type Pane = 'queue' | 'thread' | 'facts'

interface Place {
  readonly pane: Pane
  /** By the names of fields; the first that is there. */
  readonly fields: readonly string[]
}

/** Where the keys of a case lead. */
const places: Readonly<Record<string, Place>> = {
  m: { pane: 'thread', fields: ['[name="body"]'] },
  n: { pane: 'facts', fields: ['[name="note"]'] },
  f: { pane: 'thread', fields: ['[name="search"]', '[data-search]'] },
  r: { pane: 'facts', fields: ['[name="decision"]:checked', '[name="decision"]'] },
}

/**
 * Keys of a case: to the message, the internal note, the decision and the search, from wherever one does not type; Esc goes from a
 * text back to the thread, and the text stays. `show` brings a pane into view where one is shown at a time.
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
    // Another one each time, so that the same key leads there again.
    setWanted({ ...place })
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    // Whatever hears keys at the document has them first.
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [])
  // Only now its pane is shown.
  useEffect(() => {
    if (wanted === null) return
    const field = fieldAt(wanted, panes.current)
    field?.focus()
    // The search opens with its button.
    if (field instanceof HTMLButtonElement) field.click()
  }, [wanted, panes])
}

const fieldAt = ({ fields }: Place, panes: HTMLElement | null): HTMLElement | undefined =>
  fields.flatMap((field) => panes?.querySelector<HTMLElement>(field) ?? [])[0]

function leave(field: HTMLElement, panes: HTMLElement): void {
  field.blur()
  panes.querySelector<HTMLElement>('[data-thread]')?.focus({ preventScroll: true })
}
