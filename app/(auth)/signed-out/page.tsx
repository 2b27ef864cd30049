import { cookies } from 'next/headers'
import Link from 'next/link'
import { PageTitle } from '#components/frame/page-title.tsx'
import { buttonVariants } from '#components/ui/button.tsx'
import { SIGNING_OUT_COOKIE } from '#lib/session/cookie.ts'

type Search = Promise<Record<string, string | string[] | undefined>>

export default async function SignedOutPage({ searchParams }: { searchParams: Search }) {
  const { state, only } = await searchParams
  const expected = (await cookies()).get(SIGNING_OUT_COOKIE)?.value
  const back = state !== undefined && state === expected
  return (
    <div className="grid justify-items-start gap-3">
      <PageTitle>Signed out</PageTitle>
      <h1>Signed out</h1>
      <p className="text-secondary-foreground">
        Your session here has ended and its tokens are gone.
        {back ? ' Single sign-on was asked to end its own session, too.' : null}
      </p>
      {only === 'here' ? (
        <p className="text-secondary-foreground">
          Single sign-on was not told: it may still know you in this browser and sign in again without a password. On a
          shared machine, close the browser.
        </p>
      ) : null}
      <Link href="/sign-in" prefetch={false} className={buttonVariants({ variant: 'outline' })}>
        Sign in again
      </Link>
    </div>
  )
}
