import { useEffectEvent, useLayoutEffect } from 'react'
import { isPageKey } from './page-key.ts'

/** Does something when a key is pressed for the page. */
export function usePageKey(key: string, act: () => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== key || event.repeat || !isPageKey(event)) return
    event.preventDefault()
    act()
  })
  // With what shows the key, not a moment after it: a key that is pressed in between would be lost.
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
}
