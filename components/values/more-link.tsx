import Link from 'next/link'

interface MoreLinkProps {
  /** How many more there are than stand here; null where there are more, and nobody counted them. */
  count: number | null
  /** Where all of them are. */
  href: string
}

/** At the end of a list that is cut: that there are more, and the way to all of them. Nothing where there are none. */
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
