import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { TextField } from '#components/form/text-field.tsx'
import { Button } from '#components/ui/button.tsx'
import type { SavedView } from '#lib/session/saved-view.ts'
import { visibleText } from '#lib/values/visible-text.ts'
import type { SavedViewsPartProps } from './saved-views-part.tsx'
import { useViewRequests } from './use-view-requests.ts'

interface ChosenViewActsProps extends SavedViewsPartProps {
  chosen: SavedView
  hrefOfNone: string
}

type Asking = 'nothing' | 'name' | 'remove'

export function ChosenViewActs({ views, chosen, now, changed, onSaved, onChosen, hrefOfNone }: ChosenViewActsProps) {
  const { id, shared, mayChange, mayRemove, gone } = chosen
  const [asking, setAsking] = useState<Asking>('nothing')
  const router = useRouter()
  const { busy, fault, send } = useViewRequests()
  const path = `/api/views/${id}`
  const first = views.first === id

  const save = async () => {
    if ((await send(path, 'PUT', { state: now })) !== null) onSaved()
  }
  const remove = async () => {
    if ((await send(path, 'DELETE', {})) === null) return
    onChosen()
    router.push(hrefOfNone, { scroll: false })
  }
  const openFirst = (view: string | null) =>
    send('/api/session/preferences', 'POST', { defaultView: { table: views.table, view } })
  return (
    <div className="mt-2 grid gap-2">
      {changed && mayChange ? (
        <Button disabled={busy} onClick={() => void save()}>
          Save changes of this view
        </Button>
      ) : null}
      {gone.length > 0 && mayChange && !changed ? (
        <Button variant="outline" disabled={busy} onClick={() => void save()}>
          Save what remains of this view
        </Button>
      ) : null}
      <div className="flex flex-wrap gap-1.5">
        <Button variant="outline" size="sm" disabled={busy} onClick={() => void openFirst(first ? null : id)}>
          {first ? 'Do not open first' : 'Open first'}
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
            Remove “{visibleText(chosen.name)}”{shared ? ' for everybody' : ''}? It cannot be brought back.
          </p>
          <div className="flex gap-1.5">
            <Button variant="outline" size="sm" onClick={() => setAsking('nothing')}>
              Keep it
            </Button>
            <Button variant="outline" size="sm" disabled={busy} onClick={() => void remove()}>
              <span className="text-danger">Remove the view</span>
            </Button>
          </div>
        </div>
      ) : null}
      {fault === null || asking === 'name' ? null : (
        <p role="alert" className="text-danger text-sm">
          {fault}
        </p>
      )}
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
      <Button type="submit" variant="outline" disabled={busy}>
        Rename view
      </Button>
    </form>
  )
}
