import { useEffectEvent, useLayoutEffect } from 'react'
import { isPageKey } from './page-key.ts'

export function usePageKey(key: string, act: () => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== key || event.repeat || !isPageKey(event)) return
    event.preventDefault()
    act()
  })
  // A layout effect registers the listener before the hint is painted, so that no key press is lost.
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
}
