'use client'

import { type ComponentProps, useSyncExternalStore } from 'react'

/** Disabled until hydration: an earlier click would be lost silently. */
export function HydratedButton({ disabled, ...rest }: ComponentProps<'button'>) {
  const hydrated = useHydrated()
  return <button type="button" disabled={!hydrated || disabled} {...rest} />
}

const nothingToHear = () => () => {}

/**
 * False on the server and until hydration. A form that needs a script is disabled until then: an early Enter would make
 * the browser submit it and lose the text.
 */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    nothingToHear,
    () => true,
    () => false,
  )
