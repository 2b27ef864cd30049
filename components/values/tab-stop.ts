import { createContext, useContext } from 'react'

/**
 * Where the Tab key stops: everywhere, in a row everywhere except at copy controls, or nowhere. A long list makes one
 * row a tab stop and moves between rows with its own keys.
 */
export type Stops = 'all' | 'row' | 'none'

export const TabStop = createContext<Stops>('all')

/** `copies`: the control only copies. */
export function useTabIndex(copies = false): -1 | undefined {
  const stops = useContext(TabStop)
  return stops === 'none' || (stops === 'row' && copies) ? -1 : undefined
}
