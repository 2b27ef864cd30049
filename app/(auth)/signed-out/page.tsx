import type { Metadata } from 'next'
import Link from 'next/link'
import { buttonLook } from '#components/ui/button.tsx'

export const metadata: Metadata = { title: 'Signed out' }

export default function SignedOutPage() {
  return (
    <div className="grid justify-items-start gap-3">
      <h1>Signed out</h1>
      <p className="text-ink-2">Your session here has ended and its tokens are gone.</p>
      <Link href="/sign-in" prefetch={false} className={buttonLook()}>
        Sign in again
      </Link>
    </div>
  )
}
