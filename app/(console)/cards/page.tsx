import Link from 'next/link'
import { redirect } from 'next/navigation'
import { PageHead } from '#components/frame/page-head.tsx'
import { Panel } from '#components/frame/panel.tsx'
import { queryOf, readTableState } from '#components/table/table-state.ts'
import { buttonVariants } from '#components/ui/button.tsx'
import { readRegister } from '#lib/cards/register-access.ts'
import { findFault } from '#lib/cards/register-find.ts'
import { isSegment } from '#lib/contract/endpoint.ts'
import { requireSession } from '#lib/session/current.ts'
import { LookUpForm } from '../look-up-form.tsx'
import { IssuedCards } from './issued-cards.tsx'

type Search = Promise<Record<string, string | string[] | undefined>>

export default async function CardsPage({ searchParams }: { searchParams: Search }) {
  const session = await requireSession()
  const query = queryOf(await searchParams)
  const asked = query.get('card')?.trim() ?? null
  if (asked !== null && isSegment(asked)) redirect(`/cards/${encodeURIComponent(asked)}`)
  const find = query.get('find')?.trim() ?? ''
  const { page, size } = readTableState(query).state
  const register = await readRegister(session, findFault(find) === null ? find : '', { page, size })
  return (
    <>
      <PageHead
        title="Cards"
        lead="Issue a card, or look one up and block it."
        action={
          <Link href="/cards/issue" prefetch={false} className={buttonVariants()}>
            Issue a card
          </Link>
        }
      />
      <div className="grid gap-4">
        <Panel title="Look up" className="max-w-3xl">
          <div className="px-3.5 pt-3.5 pb-1.5">
            <LookUpForm value={asked} to="cards" help="The holder sees it in their own app. It is no card number." />
          </div>
          <p className="border-t px-3.5 py-2.5 text-secondary-foreground text-sm">
            The service lets no operator read another user’s card. What this console knows of it is shown, and one that
            it does not know can be blocked all the same.
          </p>
        </Panel>
        <IssuedCards
          register={register}
          title="Issued here, newest first"
          find={find}
          empty={
            <>
              <p className="font-semibold text-foreground">No cards yet</p>
              <p>A card stands here once this console has issued it. Cards from elsewhere are not listed anywhere.</p>
            </>
          }
        />
      </div>
    </>
  )
}
