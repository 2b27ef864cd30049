'use client'

import { createContext, useContext } from 'react'
import { Badge } from '#components/ui/badge.tsx'
import type { Mark } from './current-queue.ts'

/** Keyed by case id. */
export const Marks = createContext<ReadonlyMap<string, Mark>>(new Map())

const words: Readonly<Record<Mark, string>> = { new: 'New', changed: 'Changed', gone: 'Gone' }

export function MarkBadge({ id }: { id: string }) {
  const mark = useContext(Marks).get(id)
  return mark === undefined ? null : (
    <Badge variant={mark === 'gone' ? 'neutral' : 'working'} className="shrink-0">
      {words[mark]}
    </Badge>
  )
}
