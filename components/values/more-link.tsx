import Link from 'next/link'

interface MoreLinkProps {
  /** Null when more exist but their number is unknown. */
  count: number | null
  href: string
}

export function MoreLink({ count, href }: MoreLinkProps) {
  if (count === 0) return null
  return (
    <p className="border-t px-3.5 py-2 text-sm">
      <Link href={href} prefetch={false} className="figures text-primary underline-offset-4 hover:underline">
        {count === null ? 'More' : `${count.toLocaleString('en-US')} more`}
      </Link>
    </p>
  )
}
