import Link from 'next/link'
import { useRef } from 'react'
import { buttonVariants } from '#components/ui/button.tsx'
import { ShortcutHint } from '#components/ui/kbd.tsx'
import { usePageKey } from '#components/ui/use-page-key.ts'

const KEY = 'n'

/** To an empty field for the next reference, by a click or by its key. */
export function NextDeposit() {
  const link = useRef<HTMLAnchorElement>(null)
  usePageKey(KEY, () => link.current?.click())
  return (
    <Link
      ref={link}
      href="/deposits"
      prefetch={false}
      aria-keyshortcuts={KEY}
      className={buttonVariants({ className: 'justify-self-start' })}
    >
      Next deposit
      <ShortcutHint of={KEY} />
    </Link>
  )
}
