import { useSearchParams } from 'next/navigation'
import { Suspense, useEffect, useId, useRef, useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { SlidersHorizontal } from '#components/ui/icons.tsx'
import { onDemand } from '#components/ui/on-demand.tsx'
import { visibleText } from '#lib/values/visible-text.ts'
import type { AnyTable } from './columns.ts'
import { useChosenView, useTableViews } from './saved-views.tsx'
import type { TablePreference } from './table-preference.tsx'
import { differsFrom, queryIn } from './view-address.ts'

const SavedViewsPart = onDemand(() => import('./saved-views-part.tsx').then((it) => it.SavedViewsPart))
const LookChoices = onDemand(() => import('./look-choices.tsx').then((it) => it.LookChoices))

interface ViewMenuProps<Value> {
  name: string
  table: AnyTable<Value>
  preference: TablePreference
}

export function ViewMenu<Value>({ name, table, preference }: ViewMenuProps<Value>) {
  const id = useId()
  const menu = useRef<HTMLDivElement>(null)
  const [opened, setOpened] = useState(false)
  useEffect(() => {
    // The browser may have opened it before hydration.
    if (menu.current?.matches(':popover-open')) setOpened(true)
  }, [])
  const views = useTableViews(name)
  const { view } = useChosenView(name)
  const query = useSearchParams()
  const { density } = preference
  const columns = table.getAllLeafColumns().filter((column) => column.getCanHide())
  const hidden = columns.filter((column) => !column.getIsVisible()).map((column) => column.id)
  const now = views === null ? null : { query: queryIn(new URLSearchParams(query), views), density, hidden }
  const changed = view !== null && now !== null && differsFrom(view, now)
  const anchor = `--view-${id.replaceAll(/[^\w-]/g, '')}`
  return (
    <>
      <Button variant="ghost" popoverTarget={id} style={{ anchorName: anchor }} className="min-w-0 max-w-[40vw]">
        <SlidersHorizontal aria-hidden />
        <span className={view === null ? 'max-sm:sr-only' : 'max-w-[24ch] truncate'}>
          View{view === null ? null : `: ${visibleText(view.name)}`}
        </span>
        {changed ? <span className="font-normal text-attention"> changed</span> : null}
      </Button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        onToggle={() => setOpened(true)}
        style={{ positionAnchor: anchor }}
        className="inset-auto m-0 mt-1 max-h-[80dvh] w-72 max-w-[calc(100vw-1rem)] overflow-y-auto rounded-lg border bg-card p-3.5 text-foreground shadow-[var(--lift)] [position-area:bottom_span-left]"
      >
        {opened && views !== null && views.views !== null && now !== null ? (
          <Suspense fallback={<p className="mb-3 text-muted-foreground text-sm">Reading the saved views</p>}>
            <SavedViewsPart
              views={views}
              list={views.views}
              chosen={view}
              now={now}
              changed={changed}
              onSaved={preference.asSaved}
              onChosen={() => menu.current?.hidePopover()}
            />
          </Suspense>
        ) : null}
        {opened ? (
          <Suspense fallback={<p className="text-muted-foreground text-sm">Reading the columns</p>}>
            <LookChoices columns={columns} preference={preference} ofView={view !== null} />
          </Suspense>
        ) : null}
      </div>
    </>
  )
}
