'use client'

import { createContext, type ReactNode, useContext, useState } from 'react'
import type { TimeFirst } from '#lib/values/time.ts'
import { setServerClock } from './server-clock.ts'

const TimeFirstContext = createContext<TimeFirst>('local')

interface TimePreferenceProps {
  first: TimeFirst
  /** When the server made this page, in milliseconds since 1970. */
  madeAtMs: number
  children: ReactNode
}

export function TimePreference({ first, madeAtMs, children }: TimePreferenceProps) {
  // Before anything on the page reads a clock, and once: a later value comes with a refresh of the page.
  useState(() => setServerClock(madeAtMs))
  return <TimeFirstContext value={first}>{children}</TimeFirstContext>
}

export const useTimeFirst = (): TimeFirst => useContext(TimeFirstContext)
