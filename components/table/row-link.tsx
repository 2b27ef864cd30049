import Link from 'next/link'
import type { ReactNode } from 'react'
import { useTabIndex } from '#components/values/tab-stop.ts'

export function RowLink({ href, children }: { href: string; children: ReactNode }) {
  const tabIndex = useTabIndex()
  return (
    <Link
      href={href}
      prefetch={false}
      tabIndex={tabIndex}
      className="inline-flex min-h-6 items-center rounded-sm px-1 font-[550] text-primary underline-offset-4 hover:underline"
    >
      {children}
    </Link>
  )
}
