'use client'

import { createContext, type ReactNode, useContext, useRef, useState } from 'react'
import { asJson, askConsole } from '#components/service/ask-console.ts'
import { useChosenView } from './saved-views.tsx'

export type Density = 'normal' | 'compact'

export interface TableLook {
  readonly density: Density
  readonly hidden: readonly string[]
}

interface Choices {
  readonly density: Density
  /** By table name. */
  readonly hiddenColumns: Readonly<Record<string, readonly string[]>>
}

interface Kept extends Choices {
  /** The last choice was not saved and applies to this page only. */
  readonly unsaved: boolean
  choose(choices: Choices, change: unknown): void
  /** Unsaved changes by view id. */
  readonly changed: Readonly<Record<string, TableLook>>
  changeView(id: string, look: TableLook | null): void
}

const KeptContext = createContext<Kept>({
  density: 'normal',
  hiddenColumns: {},
  unsaved: false,
  choose: () => {},
  changed: {},
  changeView: () => {},
})

export function TablePreferences({ density, hiddenColumns, children }: Choices & { children: ReactNode }) {
  const [choices, setChoices] = useState<Choices>({ density, hiddenColumns })
  const [unsaved, setUnsaved] = useState(false)
  const [changed, setChanged] = useState<Readonly<Record<string, TableLook>>>({})
  // In order, so that the last choice is the one stored.
  const saving = useRef<Promise<unknown>>(Promise.resolve())

  const choose = (next: Choices, change: unknown) => {
    setChoices(next)
    saving.current = saving.current.then(() => save(change)).then((saved) => setUnsaved(!saved))
  }
  const changeView = (id: string, look: TableLook | null) =>
    setChanged(({ [id]: _before, ...others }) => (look === null ? others : { ...others, [id]: look }))
  return <KeptContext value={{ ...choices, unsaved, choose, changed, changeView }}>{children}</KeptContext>
}

async function save(change: unknown): Promise<boolean> {
  const answer = await askConsole('/api/session/preferences', { method: 'POST', ...asJson(change) })
  return answer?.status === 200
}

export interface TablePreference extends TableLook {
  readonly unsaved: boolean
  chooseDensity(density: Density): void
  hide(columns: readonly string[]): void
  /** Drops the unsaved changes of the chosen view. */
  asSaved(): void
}

const NONE: readonly string[] = []

/** The chosen view with its unsaved changes; otherwise the operator's preferences. */
export function useTablePreference(name: string): TablePreference {
  const { density, hiddenColumns, unsaved, choose, changed, changeView } = useContext(KeptContext)
  const { view } = useChosenView(name)
  if (view !== null) {
    const look = changed[view.id] ?? { density: view.density, hidden: view.hidden }
    return {
      ...look,
      unsaved: false,
      chooseDensity: (chosen) => changeView(view.id, { ...look, density: chosen }),
      hide: (hidden) => changeView(view.id, { ...look, hidden }),
      asSaved: () => changeView(view.id, null),
    }
  }
  return {
    density,
    hidden: hiddenColumns[name] ?? NONE,
    unsaved,
    chooseDensity: (chosen) => choose({ density: chosen, hiddenColumns }, { density: chosen }),
    hide: (hidden) =>
      choose({ density, hiddenColumns: { ...hiddenColumns, [name]: hidden } }, { table: { name, hidden } }),
    asSaved: () => {},
  }
}
