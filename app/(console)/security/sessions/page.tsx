import { PageHead } from '#components/frame/page-head.tsx'
import { readTableState } from '#components/table/table-state.ts'
import { config } from '#lib/config/config.ts'
import { isStorable } from '#lib/contract/json.ts'
import { idleMs } from '#lib/session/limits.ts'
import type { Session } from '#lib/session/session.ts'
import { type ListedSession, listAllSessions, markOfSessions } from '#lib/session/session-lists.ts'
import { SESSIONS_ADDRESS, type SessionOrder } from '#lib/session/sessions-of-others.ts'
import { browserWords } from '#lib/session/user-agent.ts'
import { store } from '#lib/store/store.ts'
import { cleanReference } from '#lib/values/text.ts'
import { TableViews } from '../../../saved-views/table-views.tsx'
import { accessPage } from '../../page-reads.tsx'
import { FindSession, type SessionRow, SessionsTable } from './sessions-table.tsx'

const FIND_MAX_CHARS = 200
const NEWEST = { order: 'active', descending: true } as const

const head = { title: 'Who is signed in', lead: 'All sessions of this console.' }

export default accessPage({ head, panel: 'Sessions', entry: 'othersSessions.read', read: readSessions })

async function readSessions(session: Session, query: URLSearchParams) {
  const typed = (query.get('find') ?? '').slice(0, FIND_MAX_CHARS)
  const find = cleanReference(typed)
  const { page, size, sort } = readTableState(query, SESSIONS_ADDRESS).state
  const now = Date.now()
  // Read before the rows, so that a change in between causes a refresh instead of being missed.
  const mark = await markOfSessions(await store())
  const { sessions, total } = await listAllSessions(await store(), {
    part: isStorable(find) ? find : '',
    // The parser accepts only sortable columns.
    ...(sort === null ? NEWEST : { order: sort.column as SessionOrder, descending: sort.descending }),
    page,
    size,
    now: new Date(now).toISOString(),
    idleSince: new Date(now - idleMs()).toISOString(),
  })
  return (
    <>
      <PageHead {...head} />
      <FindSession find={typed} />
      <TableViews session={session} table="signed-in" path="/security/sessions" query={query}>
        <SessionsTable
          sessions={sessions.map((listed) => sessionRow(listed, session))}
          total={total}
          mark={mark}
          find={find}
          sso={config().sso.name}
        />
      </TableViews>
    </>
  )
}

const sessionRow = (listed: ListedSession, looking: Session): SessionRow => ({
  id: listed.id,
  person: listed.display_name,
  userId: listed.user_id,
  ofPerson: listed.of_person,
  startedAt: listed.created_at,
  lastActiveAt: listed.last_active_at,
  browser: browserWords(listed.user_agent),
  address: listed.address,
  method: listed.method,
  whose: whoseOf(listed, looking),
})

function whoseOf({ id, actor }: ListedSession, looking: Session): SessionRow['whose'] {
  if (id === looking.id) return 'this'
  return actor === looking.actor ? 'own' : 'other'
}
