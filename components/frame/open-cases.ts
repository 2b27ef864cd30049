const EVENT = 'console-open-cases'

/** Tells the rail how many dispute cases are open; null when that is not known any more. */
export const announceOpenCases = (count: number | null): void => {
  window.dispatchEvent(new CustomEvent(EVENT, { detail: count }))
}

/** Answers how to stop listening. */
export function onOpenCases(listen: (count: number | null) => void): () => void {
  const heard = (event: Event) => listen((event as CustomEvent<number | null>).detail)
  window.addEventListener(EVENT, heard)
  return () => window.removeEventListener(EVENT, heard)
}
