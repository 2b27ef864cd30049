import Link from 'next/link'
import { type ReactNode, useEffect, useRef } from 'react'
import { buttonVariants } from '#components/ui/button.tsx'
import { ShortcutHint } from '#components/ui/kbd.tsx'
import { isPageKey } from '#components/ui/page-key.ts'
import { sameAccount } from '#lib/values/user-id.ts'

interface QueueStepsProps {
  /** The filtered cases around the open one, in list order. */
  ids: readonly string[]
  /** The place of the first of `ids` in the whole filtered list, from 1. */
  firstPlace: number
  total: number
  currentCaseId: string
  hrefOf: (id: string) => string
}

/** The keys `[` and `]` open the previous and the next case. */
export function QueueSteps({ ids, firstPlace, total, currentCaseId, hrefOf }: QueueStepsProps) {
  const steps = useRef<HTMLElement>(null)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!'[]'.includes(event.key) || event.repeat || !isPageKey(event)) return
      steps.current?.querySelector<HTMLElement>(`a[aria-keyshortcuts="${event.key}"]`)?.click()
    }
    // On `window`, so that listeners on `document` get the key first.
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
  const at = ids.findIndex((id) => sameAccount(id, currentCaseId))
  // If the open case is not in the list, the next case is the first of the list.
  const [before, after] = [ids[at - 1], ids[at + 1]]
  return (
    <nav
      ref={steps}
      aria-label="Previous and next case"
      className="@container flex min-h-7 items-center justify-between gap-1 text-xs"
    >
      <Step href={before && hrefOf(before)} shortcut="[">
        Previous
      </Step>
      <span className="figures @min-[230px]:block hidden text-muted-foreground">
        {at === -1 ? null : `${(firstPlace + at).toLocaleString('en-US')} of ${total.toLocaleString('en-US')}`}
      </span>
      <Step href={after && hrefOf(after)} shortcut="]">
        Next
      </Step>
    </nav>
  )
}

interface StepProps {
  /** Undefined when there is no such case. */
  href: string | undefined
  shortcut: string
  children: ReactNode
}

const Step = ({ href, shortcut, children }: StepProps) =>
  href === undefined ? (
    <span />
  ) : (
    <Link
      href={href}
      prefetch={false}
      aria-keyshortcuts={shortcut}
      className={buttonVariants({ variant: 'ghost', size: 'sm' })}
    >
      {children}
      <ShortcutHint of={shortcut} />
    </Link>
  )
