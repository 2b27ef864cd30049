'use client'

import Form from 'next/form'
import { useRouter } from 'next/navigation'
import { Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { TextField } from '#components/form/text-field.tsx'
import { useTopic } from '#components/frame/live-dot.tsx'
import { TextLink } from '#components/frame/panel.tsx'
import { useAutomaticRefresh } from '#components/service/session-events.ts'
import type { Column } from '#components/table/columns.ts'
import { DataTable } from '#components/table/data-table.tsx'
import { useTableAddress } from '#components/table/table-address.tsx'
import { byId, usePageTable } from '#components/table/use-table.ts'
import { Badge } from '#components/ui/badge.tsx'
import { SearchButton } from '#components/ui/button.tsx'
import { HydratedButton } from '#components/ui/hydrated.tsx'
import { useTabIndex } from '#components/ui/kbd.tsx'
import { onDemand } from '#components/ui/on-demand.tsx'
import { CutText } from '#components/values/facts.tsx'
import { UserReference } from '#components/values/reference.tsx'
import { ListTime } from '#components/values/timestamp.tsx'
import type { SignInMethod } from '#lib/session/session.ts'
import { SESSIONS_ADDRESS } from '#lib/session/sessions-of-others.ts'
import { visibleText } from '#lib/values/text.ts'
import type { EndableSession } from './end-dialog.tsx'

const NAME = 'signed-in'

const EndDialog = onDemand(
  () => import('./end-dialog.tsx').then((it) => it.EndDialog),
  ({ onClose }) => onClose,
)

/** Sent to the browser, so it holds only what the page shows and the id to end the session. */
export interface SessionRow extends EndableSession {
  readonly startedAt: string
  readonly lastActiveAt: string
  readonly method: SignInMethod
}

interface SessionsTableProps {
  sessions: readonly SessionRow[]
  total: number
  /** A version of the set of sessions, read before the rows. */
  mark: string
  find: string
  /** The display name of the single sign-on provider. */
  sso: string
}

export function SessionsTable({ sessions, total, mark, find, sso }: SessionsTableProps) {
  const router = useRouter()
  const [ending, setEnding] = useState<SessionRow | null>(null)
  const [said, setSaid] = useState('')
  const saying = useRef<HTMLParagraphElement>(null)
  const shown = useRef(sessions)
  const justEnded = useRef(false)
  const address = useTableAddress('of the service', SESSIONS_ADDRESS)
  const rows = useMemo(() => sessions.map((value) => ({ readable: true, value }) as const), [sessions])
  const columns = useMemo(() => sessionColumns({ sso, onEnd: setEnding }), [sso])
  const kit = usePageTable({ name: NAME, columns, reading: { kind: 'rows', rows, total }, address, rowId: byId })
  useEffect(() => {
    if (sessions === shown.current) return
    shown.current = sessions
    // The button that had the focus disappears with its row.
    if (justEnded.current) saying.current?.focus()
    justEnded.current = false
  }, [sessions])
  useSessionsTopic(mark)
  const ended = (words: string) => {
    setEnding(null)
    setSaid(words)
    router.refresh()
    justEnded.current = true
  }
  return (
    <>
      <p
        ref={saying}
        role="status"
        tabIndex={-1}
        className="mb-2 text-secondary-foreground text-sm outline-none empty:hidden"
      >
        {said}
      </p>
      <DataTable
        kit={kit}
        title="Sessions"
        label="All sessions"
        strip={find === '' ? null : <Searched find={find} />}
        empty={<p className="font-semibold text-foreground">No sessions match</p>}
      />
      {ending === null ? null : (
        <Suspense fallback={null}>
          <EndDialog session={ending} onEnded={ended} onClose={() => setEnding(null)} />
        </Suspense>
      )}
    </>
  )
}

/** Refreshes the page when a session has begun or ended since it was rendered. */
function useSessionsTopic(mark: string): void {
  const refresh = useAutomaticRefresh()
  const read = useRef(mark)
  useEffect(() => {
    read.current = mark
  }, [mark])
  useTopic('sessions', (now: string) => {
    if (now === read.current) return
    // One refresh per change, so that a page that fails to load is not requested again and again.
    read.current = now
    refresh()
  })
}

const Searched = ({ find }: { find: string }) => (
  <p role="status" className="border-b px-3.5 py-2 text-secondary-foreground text-sm">
    Searched for “{visibleText(find)}” in names, user ids and addresses.{' '}
    <TextLink href="/security/sessions">Show all</TextLink>
  </p>
)

/** Works without JavaScript. */
export const FindSession = ({ find }: { find: string }) => (
  <Form action="/security/sessions" className="mb-3 flex max-w-xl flex-wrap items-start gap-x-3">
    <TextField
      key={find}
      className="min-w-48 flex-1"
      label="Find a session"
      name="find"
      isReference
      initial={find}
      help="A part of a name, a user id or an address."
    />
    <SearchButton className="mt-5.5">Search</SearchButton>
  </Form>
)

interface SessionColumnsOptions extends Pick<SessionsTableProps, 'sso'> {
  onEnd: ((session: SessionRow) => void) | null
}

export const sessionColumns = ({ sso, onEnd }: SessionColumnsOptions): readonly Column<SessionRow>[] => [
  {
    id: 'person',
    head: 'Person',
    always: true,
    ordered: true,
    cell: ({ person }) => <CutText text={person} className="max-w-[24ch]" />,
  },
  { id: 'user-id', head: 'User id', cell: ({ userId }) => <UserReference id={userId} /> },
  { id: 'started', head: 'Signed in', ordered: true, cell: ({ startedAt }) => <ListTime value={startedAt} /> },
  { id: 'active', head: 'Last active', ordered: true, cell: ({ lastActiveAt }) => <ListTime value={lastActiveAt} /> },
  { id: 'browser', head: 'Browser', cell: ({ browser }) => browser },
  {
    id: 'address',
    head: 'From',
    ordered: true,
    cell: ({ address }) =>
      address === null ? (
        <span className="text-muted-foreground">not known</span>
      ) : (
        <span className="mono">{address}</span>
      ),
  },
  { id: 'method', head: 'By', cell: ({ method }) => (method === 'sso' ? visibleText(sso) : 'a password') },
  {
    id: 'act',
    head: 'End',
    quietHead: true,
    align: 'right',
    cell: (session) =>
      session.whose === 'this' ? <Badge variant="good">This one</Badge> : <End {...{ session, onEnd }} />,
  },
]

function End({ session, onEnd }: { session: SessionRow; onEnd: SessionColumnsOptions['onEnd'] }) {
  const tabIndex = useTabIndex()
  return (
    <HydratedButton
      tabIndex={tabIndex}
      disabled={onEnd === null}
      aria-label={`End the session of ${visibleText(session.person)}, ${session.browser}`}
      onClick={() => onEnd?.(session)}
      className="inline-flex min-h-6 items-center rounded-sm px-1 font-[550] text-primary underline-offset-4 hover:underline disabled:cursor-not-allowed disabled:text-muted-foreground"
    >
      End
    </HydratedButton>
  )
}
