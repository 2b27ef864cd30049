import { useEffect } from 'react'

const TYPED_INTO = 'input, textarea, select, [contenteditable]'

/** In a row, `c` copies the first value. */
export function useCopyKey(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, defaultPrevented } = event
      if (key !== 'c' || ctrlKey || metaKey || altKey || defaultPrevented) return
      const focused = document.activeElement
      if (focused === null || focused.closest(TYPED_INTO) !== null) return
      const around = focused.closest('[data-copy]') ?? focused.closest('[data-copy-area], [data-row]')
      const copies = around?.matches('[data-copy]') ? around : around?.querySelector('[data-copy]')
      if (copies instanceof HTMLElement) copies.click()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}
