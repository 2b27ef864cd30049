'use client'

import { createContext, type ReactNode, useContext, useRef, useState } from 'react'
import { asJson, askConsole } from '#components/service/ask-console.ts'

export type Density = 'normal' | 'compact'

interface Choices {
  readonly density: Density
  /** By table, the columns that are hidden. */
  readonly hiddenColumns: Readonly<Record<string, readonly string[]>>
}

interface Kept extends Choices {
  /** Whether the last choice could not be saved; it holds on this page all the same. */
  readonly unsaved: boolean
  choose(choices: Choices, change: unknown): void
}

const KeptContext = createContext<Kept>({ density: 'normal', hiddenColumns: {}, unsaved: false, choose: () => {} })

/** Holds how a person wants tables to look, for every table below; each choice is kept with the person. */
export function TablePreferences({ density, hiddenColumns, children }: Choices & { children: ReactNode }) {
  const [choices, setChoices] = useState<Choices>({ density, hiddenColumns })
  const [unsaved, setUnsaved] = useState(false)
  // One after the other: the last choice must be the one that stays.
  const saving = useRef<Promise<unknown>>(Promise.resolve())

  const choose = (next: Choices, change: unknown) => {
    setChoices(next)
    saving.current = saving.current.then(() => save(change)).then((saved) => setUnsaved(!saved))
  }
  return <KeptContext value={{ ...choices, unsaved, choose }}>{children}</KeptContext>
}

async function save(change: unknown): Promise<boolean> {
  const answer = await askConsole('/api/session/preferences', { method: 'POST', ...asJson(change) })
  return answer?.status === 200
}

export interface TablePreference {
  readonly density: Density
  readonly hidden: readonly string[]
  readonly unsaved: boolean
  chooseDensity(density: Density): void
  hide(columns: readonly string[]): void
}

const NONE: readonly string[] = []

/** How one table is to look. */
export function useTablePreference(name: string): TablePreference {
  const { density, hiddenColumns, unsaved, choose } = useContext(KeptContext)
  return {
    density,
    hidden: hiddenColumns[name] ?? NONE,
    unsaved,
    chooseDensity: (chosen) => choose({ density: chosen, hiddenColumns }, { density: chosen }),
    hide: (hidden) =>
      choose({ density, hiddenColumns: { ...hiddenColumns, [name]: hidden } }, { table: { name, hidden } }),
  }
}
