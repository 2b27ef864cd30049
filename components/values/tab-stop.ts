import { createContext, useContext } from 'react'

/**
 * Where the Tab key stops: at everything, at all of a row but what copies, or nowhere. A list of many rows lets it stop in
 * one row at a time, and moves between rows and within one with keys of its own.
 */
export type Stops = 'all' | 'row' | 'none'

export const TabStop = createContext<Stops>('all')

/** For the `tabIndex` of anything that can take the focus; `copies` for what does nothing but copy. */
export function useTabIndex(copies = false): -1 | undefined {
  const stops = useContext(TabStop)
  return stops === 'none' || (stops === 'row' && copies) ? -1 : undefined
}
