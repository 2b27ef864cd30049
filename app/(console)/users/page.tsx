import { redirect } from 'next/navigation'
import { PageHead } from '#components/frame/page-head.tsx'
import { Panel, TwoColumns } from '#components/frame/panel.tsx'
import { requireSession } from '#lib/session/current.ts'
import { userIdFault } from '#lib/values/ids.ts'
import { cleanReference } from '#lib/values/text.ts'
import { LookUpForm } from '../look-up-form.tsx'
import { StartList } from '../recent-things.tsx'

type Search = Promise<{ id?: string | string[] }>

export default async function UsersPage({ searchParams }: { searchParams: Search }) {
  const session = await requireSession()
  const given = (await searchParams).id
  const id = typeof given === 'string' ? given : null
  const clean = cleanReference(id ?? '')
  if (userIdFault(clean) === null) redirect(`/users/${encodeURIComponent(clean)}`)
  return (
    <>
      <PageHead title="Users" lead="A user’s history, cards issued here and access." />
      <TwoColumns>
        <Panel title="Look up a user">
          <div className="p-3.5">
            <LookUpForm
              value={id}
              to="users"
              help="Exactly as written. Names and e-mail addresses are not readable here."
            />
          </div>
        </Panel>
        <StartList session={session} kind="user" words="users" />
      </TwoColumns>
    </>
  )
}
