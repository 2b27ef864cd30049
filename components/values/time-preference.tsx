'use client'

import { createContext, type ReactNode, useContext } from 'react'
import type { TimeFirst } from '#lib/values/time.ts'

const TimeFirstContext = createContext<TimeFirst>('local')

export function TimePreference({ first, children }: { first: TimeFirst; children: ReactNode }) {
  return <TimeFirstContext value={first}>{children}</TimeFirstContext>
}

export const useTimeFirst = (): TimeFirst => useContext(TimeFirstContext)
