import type { ReactNode } from 'react'
import { Panel } from '#components/ui/panel.tsx'
import type { RegisterPage } from '#lib/commands/register-sight.ts'
import { FindForm } from './find-form.tsx'
import { registerRow } from './register-row.ts'
import { RegisterTable } from './register-table.tsx'

const OWN_WORDS = 'The console cannot read your scopes right now. It shows the cards that you issued.'

interface IssuedCardsProps {
  register: RegisterPage
  title: string
  /** What is looked for; null where all cards are of one kind anyway. */
  find: string | null
  /** Why there are none, when nothing in particular is looked for. */
  empty: ReactNode
}

/** The register of cards issued here, as far as the person may see it. */
export function IssuedCards({ register, title, find, empty }: IssuedCardsProps) {
  const { sight, cards, total } = register
  if (sight === 'none') {
    return (
      <Panel title={title} className="max-w-3xl">
        <p className="px-3.5 py-3 text-ink-2 text-sm">
          You may not see whose cards these are: it needs the scope core:cards:create or core:cards:manage.
        </p>
      </Panel>
    )
  }
  return (
    <RegisterTable
      cards={cards.map(registerRow)}
      total={total}
      title={title}
      strip={
        <>
          {sight === 'own' ? (
            <p className="border-line border-b bg-sunken px-3.5 py-2 text-ink-2 text-sm">{OWN_WORDS}</p>
          ) : null}
          {find === null ? null : <FindForm key={find} find={find} />}
        </>
      }
      empty={find === null || find === '' ? empty : <NothingFound />}
    />
  )
}

const NothingFound = () => (
  <>
    <p className="font-semibold text-ink">No such card on the register</p>
    <p>
      Ids and digits are compared whole. A card from elsewhere is not listed: look it up by its id, and block it if it
      must be.
    </p>
  </>
)
