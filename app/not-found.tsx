import Link from 'next/link'
import { PageTitle } from '#components/frame/page-title.tsx'

export default function NotFound() {
  return (
    <main className="mx-auto grid max-w-md gap-2 px-5 pt-[16vh]">
      <PageTitle>There is no such page</PageTitle>
      <h1>There is no such page</h1>
      <p className="text-secondary-foreground">
        <Link href="/" prefetch={false} className="text-primary underline underline-offset-4">
          Go to the start
        </Link>
      </p>
    </main>
  )
}
