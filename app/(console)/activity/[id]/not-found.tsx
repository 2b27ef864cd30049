import Link from 'next/link'
import { PageHead } from '#components/frame/page-head.tsx'
import { buttonVariants } from '#components/ui/button.tsx'

/** For a change that is not there, and for one of somebody else that the person may not see: they are told alike. */
export default function ChangeNotFound() {
  return (
    <>
      <PageHead title="Change" lead="Not found, or not visible to you" />
      <p className="mb-4 max-w-prose text-secondary-foreground">
        Check the address. A change of somebody else is shown to those whose scopes let them read what it is about.
      </p>
      <Link href="/" prefetch={false} className={buttonVariants({ variant: 'outline' })}>
        Go to Home
      </Link>
    </>
  )
}
