import { redirect } from 'next/navigation'
import { PageHead } from '#components/frame/page-head.tsx'
import { Panel, TwoColumns } from '#components/frame/panel.tsx'
import { isSegment } from '#lib/contract/json.ts'
import { requireSession } from '#lib/session/current.ts'
import { cleanReference, holdsCardNumber, lookUpFault } from '#lib/values/text.ts'
import { LookUpForm } from '../look-up-form.tsx'
import { StartList } from '../recent-things.tsx'

type Search = Promise<{ reference?: string | string[] }>

export default async function TransactionsPage({ searchParams }: { searchParams: Search }) {
  const session = await requireSession()
  const given = (await searchParams).reference
  const reference = typeof given === 'string' ? given : null
  const clean = cleanReference(reference ?? '')
  if (isSegment(clean) && lookUpFault(clean) === null) redirect(`/transactions/${encodeURIComponent(clean)}`)
  return (
    <>
      <PageHead title="Transactions" lead="One transaction: its state, amounts and parties." />
      <TwoColumns>
        <Panel title="Look up a transaction">
          <div className="p-3.5">
            <LookUpForm
              value={holdsCardNumber(clean) ? null : reference}
              to="transactions"
              help="Exactly as written."
            />
          </div>
        </Panel>
        <StartList session={session} kind="transaction" words="transactions" />
      </TwoColumns>
    </>
  )
}
