import Link from 'next/link'

export default function NotFound() {
  return (
    <main className="mx-auto grid max-w-md gap-2 px-5 pt-[16vh]">
      <h1>There is no such page</h1>
      <p className="text-ink-2">
        <Link href="/" className="text-accent underline underline-offset-4">
          Go to the start
        </Link>
      </p>
    </main>
  )
}
