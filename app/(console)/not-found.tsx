import Link from 'next/link'
import { PageTitle } from '#components/frame/page-title.tsx'

/** For what a page itself finds to be none; an address that is no route is answered without the frame. */
export default function NotFound() {
  return (
    <>
      <PageTitle>There is no such page</PageTitle>
      <h1>There is no such page</h1>
      <p className="mt-1 text-secondary-foreground">
        <Link href="/" prefetch={false} className="text-primary underline underline-offset-4">
          Go to the start
        </Link>
      </p>
    </>
  )
}
