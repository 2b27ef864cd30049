import Link from 'next/link'
import { buttonLook } from '#components/ui/button-look.ts'
import { PageHead } from '#components/ui/page-head.tsx'

/** For a change that is not there, and for one of somebody else that the person may not see: they are told alike. */
export default function ChangeNotFound() {
  return (
    <>
      <PageHead title="Change" lead="Not found, or not visible to you" />
      <p className="mb-4 max-w-prose text-ink-2">
        Check the address. A change of somebody else is shown to those whose scopes let them read what it is about.
      </p>
      <Link href="/" prefetch={false} className={buttonLook()}>
        Go to Home
      </Link>
    </>
  )
}
