import {
  type ComponentProps,
  createContext,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { isPageKey } from '#components/ui/page-key.ts'
import { useHydrated } from '#components/ui/use-hydrated.ts'
import { useTabIndex } from '#components/values/tab-stop.ts'
import type { QueueRow } from '#lib/disputes/queue/queue.ts'
import { endOf } from '#lib/values/uuid.ts'

/** The cases of a page that are selected. */
export interface PickedCases {
  /** Those that can be, in their order. */
  readonly all: readonly string[]
  readonly picked: ReadonlySet<string>
  /** The one that was selected, or no more, last. */
  readonly last: RefObject<string>
  pick(ids: readonly string[], on: boolean): void
}

const Context = createContext<PickedCases | null>(null)

/** An open case can be assigned, unless the person is a party of it: then its assignee is hidden. */
const isPickable = ({ status, claim }: QueueRow): boolean => status === 'OPEN' && claim !== 'hidden'

/** Kept by case, so that it outlives a reading of the rows. What is not on the page is not selected. */
export function usePickedCases(rows: readonly QueueRow[]): PickedCases {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const last = useRef('')
  return useMemo(() => {
    const all = rows.filter(isPickable).map(({ id }) => id)
    const picked = new Set(all.filter((id) => ids.has(id)))
    const pick = (some: readonly string[], on: boolean) =>
      setIds((before) => new Set([...before, ...some].filter((id) => on || !some.includes(id))))
    return { all, picked, last, pick }
  }, [rows, ids])
}

/** Lets cases be selected; `x` selects the row that has the focus. */
export function Picking({ value, children }: { value: PickedCases | null; children: ReactNode }) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'x' || !isPageKey(event)) return
      document.activeElement?.closest('[data-row]')?.querySelector<HTMLElement>('[data-pick]')?.click()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return <Context value={value}>{children}</Context>
}

const room = 'mr-1 inline-grid size-6 shrink-0 place-items-center align-middle'

/** As large as a target has to be; waits for the page's scripts. */
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

/** Selects a case; with Shift, all from the last one on. One that cannot be selected keeps its room. */
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
      aria-label={`Select case ${endOf(id)}`}
      tabIndex={tabIndex}
      checked={picked.has(id)}
      onChange={(event) => onPick(event.target.checked, (event.nativeEvent as MouseEvent).shiftKey)}
    />
  )
}

/** Selects all cases of the page. */
export function PickAllCases() {
  const cases = useContext(Context)
  if (cases === null) return null
  const { all, picked, pick } = cases
  return (
    <Box
      aria-label="Select all cases of this page"
      disabled={all.length === 0}
      checked={picked.size > 0 && picked.size === all.length}
      ref={(it) => {
        if (it !== null) it.indeterminate = picked.size > 0 && picked.size < all.length
      }}
      onChange={(event) => pick(all, event.target.checked)}
    />
  )
}
