const EVENT = 'console-verified'

/** ISO 8601 end of the verification. */
export const announceVerified = (until: string | null): void => {
  window.dispatchEvent(new CustomEvent(EVENT, { detail: until }))
}

export function onVerified(listen: (until: string | null) => void): () => void {
  const heard = (event: Event) => listen((event as CustomEvent<string | null>).detail)
  window.addEventListener(EVENT, heard)
  return () => window.removeEventListener(EVENT, heard)
}
