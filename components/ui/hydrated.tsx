'use client'

import { type ComponentProps, useDeferredValue, useEffect, useRef, useState, useSyncExternalStore } from 'react'

/** Disabled until hydration: an earlier click would be lost silently. */
export function HydratedButton({ disabled, ...rest }: ComponentProps<'button'>) {
  const hydrated = useHydrated()
  return <button type="button" disabled={!hydrated || disabled} {...rest} />
}

const nothingToHear = () => () => {}

/** A form that needs a script is disabled until hydration: an early Enter would submit it and lose the text. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    nothingToHear,
    () => true,
    () => false,
  )

/** Whether to render what is off the screen too: at once with a new document, otherwise after what is on the screen. */
export function useOffScreenReady(): boolean {
  const hydrated = useHydrated()
  const [isNewDocument] = useState(!hydrated)
  return useDeferredValue(true, isNewDocument)
}

/** For an answer that would open another page: false once the operator has left this one. */
export function useIsHere(): () => boolean {
  const here = useRef(false)
  useEffect(() => {
    here.current = true
    return () => {
      here.current = false
    }
  }, [])
  return () => here.current
}

/** Suspense would replace what is shown until then. */
export function useArrived<Value>(coming: Promise<Value> | Value, until: Value): Value {
  const [arrived, setArrived] = useState(coming instanceof Promise ? until : coming)
  useEffect(() => {
    if (!(coming instanceof Promise)) return
    let wanted = true
    coming.then(
      (value) => wanted && setArrived(value),
      () => {},
    )
    return () => {
      wanted = false
    }
  }, [coming])
  return coming instanceof Promise ? arrived : coming
}

/** For state of a browser module: on the server, operators would share it. */
export function listeners<Value = void>() {
  const all = new Set<(value: Value) => void>()
  return {
    listen(act: (value: Value) => void): () => void {
      all.add(act)
      return () => void all.delete(act)
    },
    tell(value: Value): void {
      for (const act of [...all]) act(value)
    },
  }
}
