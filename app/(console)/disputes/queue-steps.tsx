import Link from 'next/link'
import { type ReactNode, useEffect, useRef } from 'react'
import { buttonVariants } from '#components/ui/button.tsx'
import { ShortcutHint } from '#components/ui/kbd.tsx'
import { isPageKey } from '#components/ui/page-key.ts'
import { sameAccount } from '#lib/values/user-id.ts'

interface QueueStepsProps {
  /** Those around the open case that are chosen, in their order. */
  ids: readonly string[]
  /** Where the first of them stands among all that are chosen, from 1. */
  firstPlace: number
  total: number
  currentCaseId: string
  hrefOf: (id: string) => string
}

/** The cases before and after the open one, as they are chosen and ordered in the list; `[` and `]` go there. */
export function QueueSteps({ ids, firstPlace, total, currentCaseId, hrefOf }: QueueStepsProps) {
  const steps = useRef<HTMLElement>(null)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!'[]'.includes(event.key) || event.repeat || !isPageKey(event)) return
      steps.current?.querySelector<HTMLElement>(`a[aria-keyshortcuts="${event.key}"]`)?.click()
    }
    // Whatever hears keys at the document has them first.
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
  const at = ids.findIndex((id) => sameAccount(id, currentCaseId))
  // If the open case is not in the list, the next one is the first.
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
  /** Undefined where there is none. */
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
