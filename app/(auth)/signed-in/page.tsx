import Link from 'next/link'
import { PageTitle } from '#components/frame/page-title.tsx'
import { safeReturnPath } from '#lib/session/sign-in/paths.ts'

/**
 * A sign-in comes here from the identity provider's site, so the browser withholds the Strict cookie. The page moves on
 * by a navigation of its own, which carries it.
 */
export default async function SignedInPage({ searchParams }: { searchParams: Promise<{ to?: string | string[] }> }) {
  const { to } = await searchParams
  const path = safeReturnPath(Array.isArray(to) ? to[0] : to)
  return (
    <>
      <meta httpEquiv="refresh" content={`0;url=${path}`} />
      <PageTitle>Signed in</PageTitle>
      <h1>Signed in</h1>
      <p className="mt-1 text-secondary-foreground">
        <Link href={path} prefetch={false} className="text-primary underline underline-offset-4">
          Go on to the console
        </Link>
      </p>
    </>
  )
}
