const EVENT = 'console-open-cases'

/** The count, or why it is unknown; null shows nothing. */
export type OpenCases = number | { readonly notKnown: string } | null

export const announceOpenCases = (count: OpenCases): void => {
  window.dispatchEvent(new CustomEvent(EVENT, { detail: count }))
}

export function onOpenCases(listen: (count: OpenCases) => void): () => void {
  const heard = (event: Event) => listen((event as CustomEvent<OpenCases>).detail)
  window.addEventListener(EVENT, heard)
  return () => window.removeEventListener(EVENT, heard)
}
