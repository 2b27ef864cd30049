'use client'

import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { type ReactNode, useEffect, useState } from 'react'
import { cn } from '#components/ui/cn.ts'
import { listeners, useArrived } from '#components/ui/hydrated.tsx'
import { Lock } from '#components/ui/icons.tsx'
import { formatCount } from '#lib/values/words.ts'

/** Null when unknown. */
export type HeldScopes = readonly string[] | null

interface RailLinkProps {
  href: string
  word: string
  /** Without this scope, the link is dimmed and says why. */
  scope: string | null
  scopes: HeldScopes | Promise<HeldScopes>
  count?: ReactNode
  children: ReactNode
}

export function RailLink({ href, word, scope, scopes, count, children }: RailLinkProps) {
  const path = usePathname()
  const here = path === href || path.startsWith(`${href}/`)
  // No Suspense: it would replace the link when the scopes arrive, and lose a click at that moment.
  const held = useArrived(scopes, null)
  const why = scope === null || held === null || held.includes(scope) ? null : `${word} needs the scope ${scope}.`
  return (
    <Link
      href={href}
      prefetch={false}
      aria-current={here ? 'page' : undefined}
      aria-description={why ?? undefined}
      title={why === null ? word : undefined}
      data-hint={why ?? undefined}
      onClick={(event) => event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()}
      className={cn(
        'relative flex min-h-8 w-full flex-wrap items-center gap-x-2.5 rounded px-2 font-medium hover:text-foreground [&_svg]:size-4 [&_svg]:shrink-0',
        here && 'bg-card shadow-[0_0_0_1px_var(--border)]',
        linkColour(here, why !== null),
      )}
    >
      {children}
      <span className="rail-word">{word}</span>
      {why === null ? (
        count
      ) : (
        <span className="rail-word ml-auto opacity-70">
          <Lock aria-hidden strokeWidth={1.75} />
        </span>
      )}
    </Link>
  )
}

function linkColour(here: boolean, disabled: boolean): string {
  if (disabled) return 'text-muted-foreground'
  return here ? 'text-foreground' : 'text-secondary-foreground'
}

export function OpenCasesCount({ initial }: { initial: OpenCases }) {
  const [{ count, rendered }, setShown] = useState({ count: initial, rendered: initial })
  if (rendered !== initial) setShown({ count: initial, rendered: initial })
  useEffect(() => listen((next) => setShown((shown) => ({ ...shown, count: next }))), [])
  if (count === null) return null
  if (typeof count === 'object') {
    return (
      <span className="rail-word ml-auto text-attention text-xs" title={count.notKnown}>
        <span aria-hidden>not known</span>
        <span className="sr-only">{`The number of open cases is not known. ${count.notKnown}`}</span>
      </span>
    )
  }
  return (
    <span className="rail-word figures ml-auto text-muted-foreground text-xs">
      {formatCount(count)}
      <span className="sr-only"> open</span>
    </span>
  )
}

/** The count, or why it is unknown; null shows nothing. */
type OpenCases = number | { readonly notKnown: string } | null

const { listen, tell } = listeners<OpenCases>()

export const announceOpenCases = tell
