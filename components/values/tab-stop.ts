import { createContext, useContext } from 'react'

/** `row`: everything in a row except copy controls. A long list has one row as tab stop and its own keys. */
export type Stops = 'all' | 'row' | 'none'

export const TabStop = createContext<Stops>('all')

/** `copies`: the control only copies. */
export function useTabIndex(copies = false): -1 | undefined {
  const stops = useContext(TabStop)
  return stops === 'none' || (stops === 'row' && copies) ? -1 : undefined
}
