import type { ReactNode } from 'react'
import { EmptyRows, TextLink } from '#components/frame/panel.tsx'
import type { Refusal } from '#lib/authorization/judge.ts'
import { type CardSearch, searchedWords } from '#lib/cards/card-search.ts'
import type { IssuedCardRow, RegisterPage } from '#lib/cards/issued-cards.ts'
import { visibleText } from '#lib/values/text.ts'
import { RefusedPanel } from '../access-notes.tsx'
import { type RegisterRow, RegisterTable } from './register-table.tsx'

interface IssuedCardsProps {
  register: RegisterPage | Refusal
  title: string
  /** Null when all cards are of one holder. */
  search: CardSearch | null
  /** Shown when the register is empty and there is no search. */
  empty: ReactNode
}

export function IssuedCards({ register, title, search, empty }: IssuedCardsProps) {
  const searched = search === null ? null : searchedWords(search)
  if ('scopes' in register) {
    return (
      <>
        {searched === null ? null : (
          <p role="status" className="max-w-3xl text-sm">
            Nothing was searched. You can find a card only by its full id.
          </p>
        )}
        <RefusedPanel refusal={register} part="You cannot see the card register" />
      </>
    )
  }
  const { cards, total } = register
  return (
    <RegisterTable
      cards={cards.map(registerRow)}
      total={total}
      title={title}
      strip={searched === null ? null : <Searched words={searched} />}
      empty={searched === null ? empty : <NothingFound />}
    />
  )
}

const Searched = ({ words }: { words: string }) => (
  <p role="status" className="border-b px-3.5 py-2 text-secondary-foreground text-sm">
    {visibleText(words)} <TextLink href="/cards">Show all</TextLink>
  </p>
)

const NothingFound = () => (
  <EmptyRows title="No cards match">
    Enter the full id or all four digits. Cards issued elsewhere are not listed: look them up by id.
  </EmptyRows>
)

/** Sent to the browser, so it holds only what the table shows. */
const registerRow = (card: IssuedCardRow): RegisterRow => ({
  id: card.id,
  last4: card.last4,
  userId: card.user_id,
  printedName: card.printed_name,
  cardType: `${card.card_type} ${card.card_type_name}`.trim(),
  recordedAt: card.recorded_at,
  issuerName: card.issuer_name,
  origin: card.came,
  blockedAt: card.blocked_at,
})
