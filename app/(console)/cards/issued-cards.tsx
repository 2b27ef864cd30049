import type { ReactNode } from 'react'
import type { Refusal } from '#lib/authorization/judge.ts'
import type { RegisterPage } from '#lib/cards/register-access.ts'
import { RefusedPanel } from '../refused-panel.tsx'
import { FindForm } from './find-form.tsx'
import { registerRow } from './register-row.ts'
import { RegisterTable } from './register-table.tsx'

interface IssuedCardsProps {
  register: RegisterPage | Refusal
  title: string
  /** What is looked for; null where all cards are of one kind anyway. */
  find: string | null
  /** Why there are none, when nothing in particular is looked for. */
  empty: ReactNode
}

/** The register of cards issued here, as far as the person may see it. */
export function IssuedCards({ register, title, find, empty }: IssuedCardsProps) {
  if ('scopes' in register) {
    return <RefusedPanel refusal={register} part="You are not permitted to see whose cards were issued here" />
  }
  const { cards, total } = register
  return (
    <RegisterTable
      cards={cards.map(registerRow)}
      total={total}
      title={title}
      strip={find === null ? null : <FindForm key={find} find={find} />}
      empty={find === null || find === '' ? empty : <NothingFound />}
    />
  )
}

const NothingFound = () => (
  <>
    <p className="font-semibold text-foreground">No such card on the register</p>
    <p>
      Ids and digits are compared whole. A card from elsewhere is not listed: look it up by its id, and block it if it
      must be.
    </p>
  </>
)
