import {
  type ComponentProps,
  createContext,
  type ReactNode,
  type RefObject,
  useContext,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useHydrated } from '#components/ui/hydrated.tsx'
import { isPageKey, useKeyDown, useTabIndex } from '#components/ui/kbd.tsx'
import type { QueueFilter, QueueRow } from '#lib/disputes/queue/queue.ts'
import { shortId } from '#lib/values/ids.ts'

export interface PickedCases {
  /** The selectable cases, in row order. */
  readonly all: readonly string[]
  readonly picked: ReadonlySet<string>
  /** The case that was last selected or deselected: a Shift click selects from there. */
  readonly last: RefObject<string>
  pick(ids: readonly string[], on: boolean): void
  /** Selects cases of all pages of the filter. */
  pickEverywhere(ids: readonly string[]): void
}

const Context = createContext<PickedCases | null>(null)

/** An assignee is hidden if the operator is a party of the case; such a case cannot be assigned. */
export const isPickable = ({ status, claim }: QueueRow): boolean => status === 'OPEN' && claim !== 'hidden'

interface Selection {
  /** The filter, which a selection does not outlive. */
  readonly of: string
  readonly ids: ReadonlySet<string>
  /** Of all pages. */
  readonly everywhere: ReadonlySet<string>
}

/** Kept by case id. A case that leaves the page is no longer selected, unless all pages of `filter` were. */
export function usePickedCases(rows: readonly QueueRow[], filter: QueueFilter): PickedCases {
  const of = JSON.stringify(filter)
  const [selection, setSelection] = useState<Selection | null>(null)
  const last = useRef('')
  return useMemo(() => {
    const all = rows.filter(isPickable).map(({ id }) => id)
    const current = (kept: Selection | null): Selection =>
      kept?.of === of ? kept : { of, ids: new Set(), everywhere: new Set() }
    const { ids, everywhere } = current(selection)
    const picked = new Set([...all.filter((id) => ids.has(id)), ...everywhere])
    const pick = (some: readonly string[], on: boolean) =>
      setSelection((kept) => {
        // The filter has changed since.
        if (!on && kept !== null && kept.of !== of) return kept
        const [before, picks] = [current(kept), new Set(some)]
        if (on) return { ...before, ids: before.ids.union(picks) }
        return { of, ids: before.ids.difference(picks), everywhere: before.everywhere.difference(picks) }
      })
    const pickEverywhere = (some: readonly string[]) =>
      setSelection((kept) => ({ ...current(kept), everywhere: new Set(some) }))
    return { all, picked, last, pick, pickEverywhere }
  }, [rows, selection, of])
}

/** The key `x` selects the row that has the focus. */
export function Picking({ value, children }: { value: PickedCases | null; children: ReactNode }) {
  useKeyDown('document', (event) => {
    if (event.key !== 'x' || !isPageKey(event)) return
    document.activeElement?.closest('[data-row]')?.querySelector<HTMLElement>('[data-pick]')?.click()
  })
  return <Context value={value}>{children}</Context>
}

const room = 'mr-1 inline-grid size-6 shrink-0 place-items-center align-middle'

/** The label meets the minimum target size. The box is disabled until the page is interactive. */
function Box({ disabled = false, ...rest }: ComponentProps<'input'>) {
  const hydrated = useHydrated()
  return (
    <label className={room}>
      <input
        type="checkbox"
        disabled={disabled || !hydrated}
        className="size-4 accent-primary disabled:opacity-50"
        {...rest}
      />
    </label>
  )
}

/** A click with Shift selects the range from the last case. A case that cannot be selected keeps the space. */
export function PickCase({ id }: { id: string }) {
  const cases = useContext(Context)
  const tabIndex = useTabIndex()
  if (cases === null) return null
  const { all, picked, last, pick } = cases
  const at = all.indexOf(id)
  if (at === -1) return <span className={room} />
  const onPick = (on: boolean, range: boolean) => {
    const from = range && all.includes(last.current) ? all.indexOf(last.current) : at
    last.current = id
    pick(all.slice(Math.min(from, at), Math.max(from, at) + 1), on)
  }
  return (
    <Box
      data-pick
      aria-label={`Select case ${shortId(id)}`}
      tabIndex={tabIndex}
      checked={picked.has(id)}
      onChange={(event) => onPick(event.target.checked, (event.nativeEvent as MouseEvent).shiftKey)}
    />
  )
}

export function PickAllCases() {
  const cases = useContext(Context)
  if (cases === null) return null
  const { all, picked, pick } = cases
  const count = all.filter((id) => picked.has(id)).length
  return (
    <Box
      aria-label="Select all cases of this page"
      disabled={all.length === 0}
      checked={count > 0 && count === all.length}
      ref={(it) => {
        if (it !== null) it.indeterminate = count > 0 && count < all.length
      }}
      onChange={(event) => pick(all, event.target.checked)}
    />
  )
}
