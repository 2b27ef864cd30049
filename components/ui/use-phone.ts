import { useSyncExternalStore } from 'react'

const PHONE = '(width < 640px)'

function subscribe(listener: () => void): () => void {
  const phone = matchMedia(PHONE)
  phone.addEventListener('change', listener)
  return () => phone.removeEventListener('change', listener)
}

/** Whether the page is as narrow as a phone; false on the server and until hydration. */
export const usePhone = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => matchMedia(PHONE).matches,
    () => false,
  )
