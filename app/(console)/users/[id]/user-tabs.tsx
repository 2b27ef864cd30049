'use client'

import Link from 'next/link'
import { usePathname } from 'next/navigation'

const tabs = [
  ['History', ''],
  ['Cards issued here', '/cards'],
  ['Access', '/access'],
] as const

export function UserTabs({ id }: { id: string }) {
  const path = usePathname()
  const user = `/users/${encodeURIComponent(id)}`
  return (
    <nav aria-label="User" className="mb-4 flex gap-5 overflow-x-auto border-b">
      {tabs.map(([word, folder]) => (
        <Link
          key={word}
          href={user + folder}
          prefetch={false}
          aria-current={path === user + folder ? 'page' : undefined}
          // The current tab leads nowhere, so the Tab key skips it.
          tabIndex={path === user + folder ? -1 : undefined}
          className="min-h-9 whitespace-nowrap border-transparent border-b-2 px-0.5 py-1.5 font-[550] text-secondary-foreground text-sm hover:text-foreground aria-[current]:border-primary aria-[current]:text-foreground"
        >
          {word}
        </Link>
      ))}
    </nav>
  )
}
