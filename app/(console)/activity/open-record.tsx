'use client'

import Link from 'next/link'
import { useRouter, useSearchParams } from 'next/navigation'
import { useTransition } from 'react'
import { Button } from '#components/ui/button.tsx'
import { X } from '#components/ui/icons.tsx'
import { ShortcutHint, usePageKey, useTabIndex } from '#components/ui/kbd.tsx'
import { OPENED } from '#lib/activity/activity-filter.ts'

function useOpened(): (id: string | null) => void {
  const router = useRouter()
  const query = useSearchParams()
  const [, start] = useTransition()
  return (id) => {
    const next = new URLSearchParams(query)
    next.delete(OPENED)
    if (id !== null) next.set(OPENED, id)
    const text = next.toString()
    start(() => router.push(text === '' ? '/activity' : `/activity?${text}`, { scroll: false }))
  }
}

const WIDE = '(min-width: 1101px)'

const recordHref = (id: string): string => `/activity/${encodeURIComponent(id)}`

interface RecordLinkProps {
  id: string
  isOpen: boolean
  children: string
}

export function RecordLink({ id, isOpen, children }: RecordLinkProps) {
  const open = useOpened()
  return (
    <Link
      href={recordHref(id)}
      prefetch={false}
      tabIndex={useTabIndex()}
      aria-current={isOpen ? 'true' : undefined}
      onNavigate={(event) => {
        if (!window.matchMedia(WIDE).matches) return
        event.preventDefault()
        open(id)
      }}
      className="inline-flex min-h-6 items-center rounded-sm px-1 font-[550] text-primary underline-offset-4 hover:underline aria-[current]:bg-accent aria-[current]:shadow-[0_0_0_1px_var(--ring)]"
    >
      {children}
    </Link>
  )
}

export function CloseRecord({ id }: { id: string }) {
  const open = useOpened()
  const close = () => {
    const links = [...document.querySelectorAll<HTMLElement>('[data-row] a')]
    const row = links.find((link) => link.getAttribute('href') === recordHref(id))
    const target = row ?? document.querySelector<HTMLElement>('main h1')
    target?.focus({ preventScroll: true })
    open(null)
  }
  usePageKey('Escape', close)
  return (
    <Button variant="outline" aria-keyshortcuts="Escape" onClick={close}>
      <X aria-hidden />
      Close
      <ShortcutHint of="Esc" />
    </Button>
  )
}
