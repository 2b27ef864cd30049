const EVENT = 'console-verified'

/** Tells the bar until when (ISO 8601) this session is verified; null: it is no longer. */
export const announceVerified = (until: string | null): void => {
  window.dispatchEvent(new CustomEvent(EVENT, { detail: until }))
}

/** Answers how to stop listening. */
export function onVerified(listen: (until: string | null) => void): () => void {
  const heard = (event: Event) => listen((event as CustomEvent<string | null>).detail)
  window.addEventListener(EVENT, heard)
  return () => window.removeEventListener(EVENT, heard)
}
