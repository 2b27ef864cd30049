import Link from 'next/link'
import { useEffect, useRef } from 'react'
import { buttonVariants } from '#components/ui/button.tsx'
import { ShortcutHint } from '#components/ui/kbd.tsx'
import { isPageKey } from '#components/ui/page-key.ts'

const KEY = 'n'

/** To an empty field for the next reference, by a click or by its key. */
export function NextDeposit() {
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== KEY || event.repeat || !isPageKey(event)) return
      event.preventDefault()
      link.current?.click()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
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
