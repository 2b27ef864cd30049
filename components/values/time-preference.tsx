'use client'

import { createContext, type ReactNode, useContext, useState } from 'react'
import type { TimeFirst } from '#lib/values/time.ts'
import { setServerClock } from './server-clock.ts'

const TimeFirstContext = createContext<TimeFirst>('local')

interface TimePreferenceProps {
  first: TimeFirst
  /** Milliseconds since 1970. */
  madeAtMs: number
  children: ReactNode
}

export function TimePreference({ first, madeAtMs, children }: TimePreferenceProps) {
  // Runs before any child reads the clock, and once: a refresh brings a later value.
  useState(() => setServerClock(madeAtMs))
  return <TimeFirstContext value={first}>{children}</TimeFirstContext>
}

export const useTimeFirst = (): TimeFirst => useContext(TimeFirstContext)
