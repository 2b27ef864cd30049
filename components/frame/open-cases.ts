const EVENT = 'console-open-cases'

/** How many dispute cases are open, or why that is not known; null where there is nothing to say of it. */
export type OpenCases = number | { readonly notKnown: string } | null

/** Tells the rail. */
export const announceOpenCases = (count: OpenCases): void => {
  window.dispatchEvent(new CustomEvent(EVENT, { detail: count }))
}

/** Answers how to stop listening. */
export function onOpenCases(listen: (count: OpenCases) => void): () => void {
  const heard = (event: Event) => listen((event as CustomEvent<OpenCases>).detail)
  window.addEventListener(EVENT, heard)
  return () => window.removeEventListener(EVENT, heard)
}
