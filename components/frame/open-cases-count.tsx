'use client'

import { useEffect, useState } from 'react'
import { onOpenCases } from './open-cases.ts'

/** How many dispute cases are open, as the latest whole list had it; nothing while that is not known. */
export function OpenCasesCount({ initial }: { initial: number | null }) {
  const [count, setCount] = useState(initial)
  useEffect(() => onOpenCases(setCount), [])
  if (count === null) return null
  return (
    <span className="rail-word figures ml-auto text-ink-3 text-xs">
      {count.toLocaleString('en-US')}
      <span className="sr-only"> open</span>
    </span>
  )
}
