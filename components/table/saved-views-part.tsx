import Link from 'next/link'
import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { useState } from 'react'
import { TextField } from '#components/form/text-field.tsx'
import { asJson, askConsole, problemIn } from '#components/service/ask-console.ts'
import { useAutomaticRefresh } from '#components/service/session-events.ts'
import { Button } from '#components/ui/button.tsx'
import { cn } from '#components/ui/cn.ts'
import { FormError } from '#components/ui/field.tsx'
import { useIsHere } from '#components/ui/hydrated.tsx'
import { Check } from '#components/ui/icons.tsx'
import { problemWords } from '#lib/service/problem-words.ts'
import type { SavedView, ViewState } from '#lib/session/saved-view.ts'
import { visibleText } from '#lib/values/text.ts'
import { NO_VIEW, type TableViews, viewHref } from './view-address.ts'

export interface SavedViewsPartProps {
  views: TableViews
  list: readonly SavedView[]
  chosen: SavedView | null
  now: ViewState
  changed: boolean
  onSaved: () => void
  onChosen: () => void
}

export function SavedViewsPart(props: SavedViewsPartProps) {
  const { views, list, chosen, onChosen } = props
  const [saved, setSaved] = useState(0)
  const query = new URLSearchParams(useSearchParams())
  const path = usePathname()
  const hrefOf = (view: SavedView | null): string => viewHref(path, query, views, view)
  return (
    <section aria-label="Saved views" className="mb-3 border-b pb-3">
      <h3 className="mb-1 text-muted-foreground text-xs">Saved views</h3>
      <ul className="max-h-[30dvh] overflow-y-auto">
        <Choosable href={hrefOf(null)} current={chosen === null} onChosen={onChosen} name="No view" aside="" />
        {list.map((view) => (
          <Choosable
            key={view.id}
            href={hrefOf(view)}
            current={view.id === chosen?.id}
            onChosen={onChosen}
            name={visibleText(view.name)}
            aside={asideOf(view, views.first)}
          />
        ))}
      </ul>
      {chosen === null ? null : <ChosenViewActs key={chosen.id} {...props} chosen={chosen} hrefOfNone={hrefOf(null)} />}
      <SaveAsView key={saved} {...props} path={path} query={query} onNew={() => setSaved(saved + 1)} />
    </section>
  )
}

function asideOf({ id, shared, by }: SavedView, first: string | null): string {
  const whose = by === null ? 'shared' : `shared by ${visibleText(by)}`
  return [shared ? whose : '', id === first ? 'default' : ''].filter((word) => word !== '').join(', ')
}

interface ChoosableProps {
  href: string
  current: boolean
  onChosen: () => void
  name: string
  aside: string
}

const Choosable = ({ href, current, onChosen, name, aside }: ChoosableProps) => (
  <li>
    <Link
      href={href}
      prefetch={false}
      scroll={false}
      onNavigate={onChosen}
      aria-current={current ? 'true' : undefined}
      className="-mx-1.5 flex min-h-8 items-center gap-2 rounded px-1.5 text-sm hover:bg-muted aria-[current]:font-semibold"
    >
      <Check aria-hidden className={cn('size-3.5 shrink-0', current || 'invisible')} />
      <bdi className="min-w-0 truncate" title={name}>
        {name}
      </bdi>
      <span title={aside} className="ml-auto max-w-[50%] truncate font-normal text-muted-foreground text-xs">
        {aside}
      </span>
    </Link>
  </li>
)

interface SaveAsViewProps extends SavedViewsPartProps {
  path: string
  query: URLSearchParams
  onNew: () => void
}

function SaveAsView({ views, now, onSaved, onChosen, onNew, path, query }: SaveAsViewProps) {
  const [name, setName] = useState('')
  const [shared, setShared] = useState(false)
  const isHere = useIsHere()
  const router = useRouter()
  const { busy, fault, send } = useViewRequests()
  const save = async () => {
    const body = { table: views.table, name, shared, state: now }
    const saved = await send('/api/views', 'POST', body)
    if (saved === null || !isHere()) return
    const next = viewHref(path, query, views, { id: String(saved.id ?? NO_VIEW), query: now.query })
    // The new view contains the unsaved changes.
    onSaved()
    onChosen()
    onNew()
    router.push(next, { scroll: false })
  }
  return (
    <form
      className="mt-2 grid gap-2 border-t pt-2.5"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <TextField label="Save as a new view" placeholder="Name" onText={setName} fault={fault} />
      <label className="flex min-h-7 cursor-pointer items-center gap-2 text-sm">
        <input
          type="checkbox"
          className="size-4 accent-primary"
          checked={shared}
          onChange={(event) => setShared(event.currentTarget.checked)}
        />
        Share with everyone who sees this table
      </label>
      <Button type="submit" variant="outline" aria-disabled={busy}>
        Save view
      </Button>
    </form>
  )
}

interface ChosenViewActsProps extends SavedViewsPartProps {
  chosen: SavedView
  hrefOfNone: string
}

type Asking = 'nothing' | 'name' | 'remove'

function ChosenViewActs({ views, chosen, now, changed, onSaved, onChosen, hrefOfNone }: ChosenViewActsProps) {
  const { id, shared, mayChange, mayRemove, gone } = chosen
  const [asking, setAsking] = useState<Asking>('nothing')
  const isHere = useIsHere()
  const router = useRouter()
  const { busy, fault, send } = useViewRequests()
  const path = `/api/views/${id}`
  const first = views.first === id

  const save = async () => {
    if ((await send(path, 'PUT', { state: now })) !== null) onSaved()
  }
  const remove = async () => {
    if ((await send(path, 'DELETE', {})) === null || !isHere()) return
    onChosen()
    router.push(hrefOfNone, { scroll: false })
  }
  const openFirst = (view: string | null) =>
    send('/api/session/preferences', 'POST', { defaultView: { table: views.table, view } })
  return (
    <div className="mt-2 grid gap-2">
      {changed && mayChange ? (
        <Button aria-disabled={busy} onClick={() => void save()}>
          Save changes of this view
        </Button>
      ) : null}
      {gone.length > 0 && mayChange && !changed ? (
        <Button variant="outline" aria-disabled={busy} onClick={() => void save()}>
          Save without the missing parts
        </Button>
      ) : null}
      <div className="flex flex-wrap gap-1.5">
        <Button variant="outline" size="sm" aria-disabled={busy} onClick={() => void openFirst(first ? null : id)}>
          {first ? 'Remove as default' : 'Make default'}
        </Button>
        {mayChange ? (
          <Button variant="outline" size="sm" aria-expanded={asking === 'name'} onClick={() => setAsking('name')}>
            Rename
          </Button>
        ) : null}
        {mayRemove ? (
          <Button variant="outline" size="sm" aria-expanded={asking === 'remove'} onClick={() => setAsking('remove')}>
            Remove
          </Button>
        ) : null}
      </div>
      {asking === 'name' ? (
        <Rename
          name={chosen.name}
          busy={busy}
          fault={fault}
          onName={async (name) => {
            if ((await send(path, 'PUT', { name })) !== null) setAsking('nothing')
          }}
        />
      ) : null}
      {asking === 'remove' ? (
        <div className="grid gap-2 text-sm">
          <p>
            Remove “{visibleText(chosen.name)}”{shared ? ' for everyone' : ''}? This cannot be undone.
          </p>
          <div className="flex gap-1.5">
            <Button variant="outline" size="sm" onClick={() => setAsking('nothing')}>
              Keep the view{' '}
            </Button>
            <Button variant="outline" size="sm" aria-disabled={busy} onClick={() => void remove()}>
              <span className="text-danger">Remove the view</span>
            </Button>
          </div>
        </div>
      ) : null}
      <FormError fault={asking === 'name' ? null : fault} />
    </div>
  )
}

interface RenameProps {
  name: string
  busy: boolean
  fault: string | null
  onName: (name: string) => Promise<void>
}

function Rename({ name: before, busy, fault, onName }: RenameProps) {
  const [name, setName] = useState(before)
  return (
    <form
      className="grid gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        void onName(name)
      }}
    >
      <TextField label="New name" initial={before} onText={setName} fault={fault} takesFocus />
      <Button type="submit" variant="outline" aria-disabled={busy}>
        Rename view
      </Button>
    </form>
  )
}

interface ViewRequests {
  readonly busy: boolean
  readonly fault: string | null
  /** Null when busy, refused or not answered. */
  send(path: string, method: 'POST' | 'PUT' | 'DELETE', body: unknown): Promise<{ readonly id?: unknown } | null>
}

const NOT_KNOWN = 'No answer came. It is not known whether this was done. Reload the page and check the views.'

function useViewRequests(): ViewRequests {
  const refresh = useAutomaticRefresh()
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const send: ViewRequests['send'] = async (path, method, body) => {
    if (busy) return null
    setBusy(true)
    setFault(null)
    const answer = await askConsole(path, { method, ...asJson(body) })
    setBusy(false)
    if (answer?.status === 200) {
      refresh()
      return answer.body as { readonly id?: unknown }
    }
    setFault(answer === null ? NOT_KNOWN : problemWords(problemIn(answer)).title)
    return null
  }
  return { busy, fault, send }
}
