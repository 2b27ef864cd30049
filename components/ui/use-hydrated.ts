import { useSyncExternalStore } from 'react'

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
