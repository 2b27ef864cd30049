import { useSyncExternalStore } from 'react'

const nothingToHear = () => () => {}

/**
 * Whether the page is alive: false on the server and until its scripts run. A form that only a script can serve waits for
 * that, so that an early Enter does not make the browser submit it and lose what was typed.
 */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    nothingToHear,
    () => true,
    () => false,
  )
