import type { Metadata } from 'next'
import { PageHead } from '#components/ui/page-head.tsx'
import { requireSession } from '#lib/session/current.ts'
import { TwoFactorPanel } from './two-factor-panel.tsx'

export const metadata: Metadata = { title: 'Security' }

export default async function SecurityPage() {
  const session = await requireSession()
  return (
    <>
      <PageHead title="Security" lead="How you prove that it is you." />
      <div className="grid gap-4">
        <TwoFactorPanel session={session} />
      </div>
    </>
  )
}
