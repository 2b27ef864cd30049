'use client'

import { createContext, useContext } from 'react'

/**
 * Whether the Tab key stops at what is inside. A list of many rows lets it stop in one row at a time, and moves between
 * rows with keys of its own.
 */
export const TabStop = createContext(true)

/** For the `tabIndex` of anything that can take the focus. */
export const useTabIndex = (): -1 | undefined => (useContext(TabStop) ? undefined : -1)
