import Link from 'next/link'
import { Suspense } from 'react'
import { PageHead } from '#components/frame/page-head.tsx'
import { PanelOutline } from '#components/frame/panel-outline.tsx'
import { buttonVariants } from '#components/ui/button.tsx'
import { permits } from '#lib/authorization/judge.ts'
import { requireSession } from '#lib/session/current.ts'
import { PasskeysPanel } from './passkeys-panel.tsx'
import { SessionsPanel } from './sessions-panel.tsx'
import { TwoFactorPanel } from './two-factor-panel.tsx'

/** What guards a person's own access: one panel each. */
export default async function SecurityPage() {
  const session = await requireSession()
  return (
    <>
      <PageHead
        title="Security"
        lead="What guards your own access to this console."
        action={
          <>
            <Link href="/security/policy" prefetch={false} className={buttonVariants({ variant: 'outline' })}>
              Policy
            </Link>
            {(await permits(session, 'othersSessions.read')) ? (
              <Link href="/security/sessions" prefetch={false} className={buttonVariants({ variant: 'outline' })}>
                Who is signed in
              </Link>
            ) : null}
          </>
        }
      />
      <div className="grid gap-4">
        <Suspense fallback={<PanelOutline title="Two-factor security" lines={5} />}>
          <TwoFactorPanel session={session} />
        </Suspense>
        <Suspense>
          <PasskeysPanel session={session} />
        </Suspense>
        <div className="grid gap-4 wide:grid-cols-[minmax(0,1fr)_392px]">
          <SessionsPanel session={session} />
        </div>
      </div>
    </>
  )
}
