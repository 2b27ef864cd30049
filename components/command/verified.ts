const EVENT = 'console-verified'

/** ISO 8601 end of this session's verification; null when it has ended. */
export const announceVerified = (until: string | null): void => {
  window.dispatchEvent(new CustomEvent(EVENT, { detail: until }))
}

/** Returns a function that stops listening. */
export function onVerified(listen: (until: string | null) => void): () => void {
  const heard = (event: Event) => listen((event as CustomEvent<string | null>).detail)
  window.addEventListener(EVENT, heard)
  return () => window.removeEventListener(EVENT, heard)
}
