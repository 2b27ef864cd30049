'use client'

import { createContext, useContext } from 'react'
import { Chip } from '#components/ui/chip.tsx'
import type { Mark } from './use-polled-queue.ts'

/** Which rows are news, by the case's id. */
export const Marks = createContext<ReadonlyMap<string, Mark>>(new Map())

const words: Readonly<Record<Mark, string>> = { new: 'New', changed: 'Changed', gone: 'Gone' }

/** That a row is new, or reads differently at the service by now. */
export function MarkChip({ id }: { id: string }) {
  const mark = useContext(Marks).get(id)
  return mark === undefined ? null : (
    <Chip tone={mark === 'gone' ? 'neutral' : 'working'} className="shrink-0">
      {words[mark]}
    </Chip>
  )
}
