'use client'

import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { followTopic } from '#components/news/news.ts'
import { DataTable } from '#components/table/data-table.tsx'
import { usePageTable } from '#components/table/use-table.ts'
import { useTableAddress } from '#components/table/use-table-address.ts'
import { onDemand } from '#components/ui/on-demand.tsx'
import { SESSIONS_ADDRESS } from '#lib/session/sessions-of-others.ts'
import { visibleText } from '#lib/values/visible-text.ts'
import { sessionColumns } from './session-columns.tsx'
import type { SessionRow } from './session-row.ts'

const NAME = 'signed-in'

const EndDialog = onDemand(
  () => import('./end-dialog.tsx').then((it) => it.EndDialog),
  ({ onClose }) => onClose,
)

interface SessionsTableProps {
  sessions: readonly SessionRow[]
  total: number
  /** A version of the set of sessions, read before the rows. */
  mark: string
  /** The search text; empty for all sessions. */
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
  const kit = usePageTable({ name: NAME, columns, reading: { kind: 'rows', rows, total }, address })
  useEffect(() => {
    if (sessions === shown.current) return
    shown.current = sessions
    // The button that had the focus disappears with its row.
    if (justEnded.current) saying.current?.focus()
    justEnded.current = false
  }, [sessions])
  useFollowedSessions(mark)
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
        name={NAME}
        kit={kit}
        address={address}
        title="Sessions"
        label="Sessions of everybody"
        strip={find === '' ? null : <Searched find={find} />}
        empty={<p className="font-semibold text-foreground">No session has this in its name, user id or address</p>}
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
function useFollowedSessions(mark: string): void {
  const router = useRouter()
  const read = useRef(mark)
  useEffect(() => {
    read.current = mark
  }, [mark])
  useEffect(
    () =>
      followTopic<string>('sessions', (told) => {
        if (!told.ok || told.value === read.current) return
        // One refresh per change, so that a page that fails to load is not requested again and again.
        read.current = told.value
        router.refresh()
      }),
    [router],
  )
}

const Searched = ({ find }: { find: string }) => (
  <p role="status" className="border-b px-3.5 py-2 text-secondary-foreground text-sm">
    Searched for “{visibleText(find)}” in names, user ids and addresses.{' '}
    <Link href="/security/sessions" prefetch={false} className="text-primary underline underline-offset-4">
      Show all
    </Link>
  </p>
)
