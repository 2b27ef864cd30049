import type { ReactNode } from 'react'
import { PageHead } from '#components/frame/page-head.tsx'
import { Panel } from '#components/frame/panel.tsx'
import { Reference } from '#components/values/reference.tsx'
import { requireSession } from '#lib/session/current.ts'
import { userIdFault } from '#lib/values/ids.ts'
import { LookUpForm } from '../../look-up-form.tsx'
import { segmentId } from '../../page-reads.tsx'
import { Pin } from '../../recent-things.tsx'
import { UserTabs } from './user-tabs.tsx'

interface UserLayoutProps {
  params: Promise<{ id: string }>
  children: ReactNode
}

export default async function UserLayout({ params, children }: UserLayoutProps) {
  const session = await requireSession()
  const id = segmentId((await params).id)
  const readable = userIdFault(id) === null
  return (
    <>
      <PageHead
        title="User"
        lead={readable ? <Reference value={id} name="User id" mark whole /> : 'Look up one user by id.'}
        action={readable ? <Pin session={session} thing={{ kind: 'user', id }} /> : null}
      />
      {readable ? (
        <>
          <UserTabs id={id} />
          {children}
        </>
      ) : (
        <Panel title="Look up" className="max-w-3xl">
          <div className="p-3.5">
            <LookUpForm value={id} to="users" help="Exactly as written." />
          </div>
        </Panel>
      )}
    </>
  )
}
