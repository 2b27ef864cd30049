'use client'

import Link from 'next/link'
import { usePathname } from 'next/navigation'
import type { ReactNode } from 'react'
import { classes } from '#components/ui/classes.ts'

interface RailLinkProps {
  href: string
  word: string
  /** The scope that is missing; then the area stays visible, dimmed, and says why. */
  missing: string | null
  /** The icon. */
  children: ReactNode
}

/** One area in the rail: icon and word, or the icon alone where the rail is narrow. */
export function RailLink({ href, word, missing, children }: RailLinkProps) {
  const path = usePathname()
  const here = path === href || path.startsWith(`${href}/`)
  return (
    <Link
      href={href}
      prefetch={false}
      aria-current={here ? 'page' : undefined}
      title={missing === null ? word : `${word}: needs the scope ${missing}`}
      onClick={(event) => event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()}
      className={classes(
        'flex min-h-8 items-center gap-2.5 rounded px-2 font-medium hover:text-ink [&_svg]:size-4 [&_svg]:shrink-0',
        here && 'bg-surface text-ink shadow-[0_0_0_1px_var(--line)]',
        !here && (missing === null ? 'text-ink-2' : 'text-ink-3'),
      )}
    >
      {children}
      <span className="rail-word">{word}</span>
    </Link>
  )
}
