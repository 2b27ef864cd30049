const EVENT = 'console-verified'

/** Tells the bar that this session is verified until a time (ISO 8601). */
export const announceVerified = (until: string): void => {
  window.dispatchEvent(new CustomEvent(EVENT, { detail: until }))
}

/** Answers how to stop listening. */
export function onVerified(listen: (until: string) => void): () => void {
  const heard = (event: Event) => listen((event as CustomEvent<string>).detail)
  window.addEventListener(EVENT, heard)
  return () => window.removeEventListener(EVENT, heard)
}
