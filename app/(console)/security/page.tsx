import type { Metadata } from 'next'
import { PageHead } from '#components/ui/page-head.tsx'
import { requireSession } from '#lib/session/current.ts'
import { SessionsPanel } from './sessions-panel.tsx'

export const metadata: Metadata = { title: 'Security' }

/** What guards a person's own access: one panel each. */
export default async function SecurityPage() {
  const session = await requireSession()
  return (
    <>
      <PageHead title="Security" lead="What guards your own access to this console." />
      <div className="grid max-w-3xl gap-4">
        <SessionsPanel session={session} />
      </div>
    </>
  )
}
