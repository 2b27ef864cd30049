import { redirect } from 'next/navigation'
import { PageHead } from '#components/frame/page-head.tsx'
import { ButtonLink, EmptyRows, Panel, TwoColumns } from '#components/frame/panel.tsx'
import { readTableState } from '#components/table/table-state.ts'
import { CARD_NUMBER_REFUSED, EVERY_CARD, isCardNumber, searchFault, searchOf } from '#lib/cards/card-search.ts'
import { type RegisterPage, readRegister } from '#lib/cards/issued-cards.ts'
import type { Session } from '#lib/session/session.ts'
import { sameAccount } from '#lib/values/ids.ts'
import { cleanReference } from '#lib/values/text.ts'
import { TableViews } from '../../saved-views/table-views.tsx'
import { accessPage, CARD_NUMBER_ADDRESS, REFUSED } from '../page-reads.tsx'
import { StartList } from '../recent-things.tsx'
import { IssuedCards } from './issued-cards.tsx'
import { SearchForm } from './search-form.tsx'

const head = { title: 'Cards', lead: 'Issue a card, or look one up and block it.' }

export default accessPage({ head, panel: 'Find a card', entry: 'signed-in', read: readCards })

async function readCards(session: Session, query: URLSearchParams) {
  const typed = query.get('find') ?? ''
  const find = cleanReference(typed)
  if (isCardNumber(find)) redirect(CARD_NUMBER_ADDRESS)
  const fault = query.has(REFUSED) ? CARD_NUMBER_REFUSED : searchFault(find)
  const search = fault === null ? searchOf(find) : EVERY_CARD
  const { page, size } = readTableState(query).state
  const register = await readRegister(session, search, { page, size })
  if (search.by === 'id' && !('cards' in register && isOfHolder(register, search.id))) {
    redirect(`/cards/${encodeURIComponent(search.id)}`)
  }
  return (
    <>
      <PageHead {...head} action={<ButtonLink href="/cards/issue">Issue a card</ButtonLink>} />
      <div className="grid gap-4">
        <TwoColumns>
          <Panel title="Find a card">
            <div className="px-3.5 pt-3.5 pb-1.5">
              <SearchForm key={`${typed} ${fault}`} find={typed} fault={fault} idAlone={'scopes' in register} />
            </div>
            <p className="border-t px-3.5 py-2.5 text-secondary-foreground text-sm">
              Operators cannot read another user’s card. Cards from this console are shown; any card can be blocked by
              its id.
            </p>
          </Panel>
          {find === '' ? <StartList session={session} kind="card" words="cards" /> : null}
        </TwoColumns>
        <TableViews session={session} table="issued-cards" path="/cards" query={query}>
          <IssuedCards
            register={register}
            title="Issued here, newest first"
            search={search}
            empty={<EmptyRows title="No cards yet">Cards issued from this console appear here.</EmptyRows>}
          />
        </TableViews>
      </div>
    </>
  )
}

/** The id matched cards by their holder, and no card by its own id. */
const isOfHolder = ({ cards, total }: RegisterPage, id: string): boolean =>
  total > 0 && !cards.some((card) => sameAccount(card.id, id))
