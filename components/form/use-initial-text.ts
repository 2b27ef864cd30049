import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'

/** Reports text typed before hydration, and replaces the text when `initial` changes. */
export function useInitialText(
  field: RefObject<HTMLInputElement | HTMLTextAreaElement | null>,
  initial: string,
  onText: ((text: string) => void) | undefined,
): void {
  const changed = useEffectEvent((text: string) => onText?.(text))
  const given = useRef(initial)
  useEffect(() => {
    const shown = field.current
    if (shown === null) return
    if (given.current !== initial) shown.value = initial
    else if (shown.value === initial) return
    given.current = initial
    changed(shown.value)
  }, [field, initial])
}
