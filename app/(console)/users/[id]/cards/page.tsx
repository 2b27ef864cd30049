import { TextLink } from '#components/frame/panel.tsx'
import { queryOf, readTableState } from '#components/table/table-state.ts'
import { requireAccess } from '#lib/authorization/require-access.ts'
import { readRegister } from '#lib/cards/issued-cards.ts'
import { userIdFault } from '#lib/values/ids.ts'
import { TableViews } from '../../../../saved-views/table-views.tsx'
import { RefusedPanel } from '../../../access-notes.tsx'
import { IssuedCards } from '../../../cards/issued-cards.tsx'
import { segmentId } from '../../../page-reads.tsx'

interface UserCardsPageProps {
  params: Promise<{ id: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

/** The service does not list another user's cards, so this shows only cards that this console knows. */
export default async function UserCardsPage({ params, searchParams }: UserCardsPageProps) {
  const { session, refusal } = await requireAccess('register.read')
  if (refusal !== null) return <RefusedPanel refusal={refusal} />
  const id = segmentId((await params).id)
  // The layout reports an invalid id.
  if (userIdFault(id) !== null) return null
  const query = queryOf(await searchParams)
  const { page, size } = readTableState(query).state
  const register = await readRegister(session, { by: 'id', id }, { page, size })
  return (
    <TableViews session={session} table="issued-cards" path={`/users/${encodeURIComponent(id)}/cards`} query={query}>
      <IssuedCards
        register={register}
        title="Cards issued here, newest first"
        search={null}
        empty={
          <>
            <p className="font-semibold text-foreground">No cards issued here</p>
            <p>
              The holder may have other cards that operators cannot list.{' '}
              <TextLink href={`/cards/issue?${new URLSearchParams({ holder: id })}`}>
                Issue a card for this user
              </TextLink>
            </p>
          </>
        }
      />
    </TableViews>
  )
}
