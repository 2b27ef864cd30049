import { EmptyRows, TextLink } from '#components/frame/panel.tsx'
import { queryOf, readTableState } from '#components/table/table-state.ts'
import { refusedFrom } from '#lib/authorization/judge.ts'
import { readRegister } from '#lib/cards/issued-cards.ts'
import { requireSession } from '#lib/session/current.ts'
import type { Session } from '#lib/session/session.ts'
import { userIdFault } from '#lib/values/ids.ts'
import { TableViews } from '../../../../saved-views/table-views.tsx'
import { RefusedPanel } from '../../../access-notes.tsx'
import { IssuedCards } from '../../../cards/issued-cards.tsx'
import { type PageProps, RenderWithAccess, segmentId, startRead } from '../../../page-reads.tsx'

/** The service does not list another user's cards, so this shows only cards that this console knows. */
export default async function UserCardsPage({ params, searchParams }: PageProps<{ id: string }>) {
  const session = await requireSession()
  const id = segmentId((await params).id)
  // The layout reports an invalid id.
  if (userIdFault(id) !== null) return null
  const content = startRead(readCardsOf(session, id, queryOf(await searchParams)))
  return <RenderWithAccess session={session} content={content} panel={TITLE} />
}

const TITLE = 'Cards issued here, newest first'

async function readCardsOf(session: Session, id: string, query: URLSearchParams) {
  const refusal = await refusedFrom(session, 'register.read')
  if (refusal !== null) return <RefusedPanel refusal={refusal} />
  const { page, size } = readTableState(query).state
  const register = await readRegister(session, { by: 'id', id }, { page, size })
  return (
    <TableViews session={session} table="issued-cards" path={`/users/${encodeURIComponent(id)}/cards`} query={query}>
      <IssuedCards
        register={register}
        title={TITLE}
        search={null}
        empty={
          <EmptyRows title="No cards issued here">
            The holder may have other cards that operators cannot list.{' '}
            <TextLink href={`/cards/issue?${new URLSearchParams({ holder: id })}`}>Issue a card for this user</TextLink>
          </EmptyRows>
        }
      />
    </TableViews>
  )
}
