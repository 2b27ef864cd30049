import type { Column } from '#components/table/columns.ts'
import { Badge } from '#components/ui/badge.tsx'
import { HydratedButton } from '#components/ui/hydrated-button.tsx'
import { Reference } from '#components/values/reference.tsx'
import { useTabIndex } from '#components/values/tab-stop.ts'
import { Timestamp } from '#components/values/timestamp.tsx'
import { visibleText } from '#lib/values/visible-text.ts'
import type { SessionRow } from './session-row.ts'

interface SessionColumnsOptions {
  /** The display name of the single sign-on provider. */
  sso: string
  /** Null while no session can be ended. */
  onEnd: ((session: SessionRow) => void) | null
}

export const sessionColumns = ({ sso, onEnd }: SessionColumnsOptions): readonly Column<SessionRow>[] => [
  {
    id: 'person',
    head: 'Person',
    always: true,
    ordered: true,
    cell: ({ person }) => <bdi className="inline-block max-w-[24ch] truncate align-bottom">{visibleText(person)}</bdi>,
  },
  {
    id: 'user-id',
    head: 'User id',
    cell: ({ userId }) => (
      <Reference short mark value={userId} name="User id" href={`/users/${encodeURIComponent(userId)}`} />
    ),
  },
  { id: 'started', head: 'Signed in', ordered: true, cell: ({ startedAt }) => <Time at={startedAt} /> },
  { id: 'active', head: 'Last active', ordered: true, cell: ({ lastActiveAt }) => <Time at={lastActiveAt} /> },
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

const Time = ({ at }: { at: string }) => (
  <span className="inline-block min-w-20">
    <Timestamp value={at} as="past" />
  </span>
)

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
