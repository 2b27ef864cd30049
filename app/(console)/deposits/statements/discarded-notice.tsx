'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useRef, useState } from 'react'
import { RowLink } from '#components/table/table-address.tsx'
import { Button } from '#components/ui/button.tsx'
import { FormError } from '#components/ui/field.tsx'
import { useHydrated, useIsHere } from '#components/ui/hydrated.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import { visibleText } from '#lib/values/text.ts'
import { restore } from './statement-requests.ts'

interface DiscardedNoticeProps {
  id: string
  by: string
  /** The end of the time in which it can be restored (ISO 8601). */
  until: string
  /** Only the person who imported a statement may restore it. */
  yours: boolean
  /** The operator has just discarded it. */
  focused?: boolean
}

export function DiscardedNotice({ id, by, until, yours, focused = false }: DiscardedNoticeProps) {
  const router = useRouter()
  const hydrated = useHydrated()
  const isHere = useIsHere()
  const [restoring, setRestoring] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const [warnings, setWarnings] = useState<readonly string[]>([])
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (focused && hydrated) button.current?.focus()
  }, [focused, hydrated])
  const bringBack = async () => {
    setRestoring(true)
    const restored = await restore(id)
    setRestoring(false)
    setFault(restored.ok ? null : restored.why)
    if (!restored.ok || !isHere()) return
    setWarnings(restored.value.warnings)
    if (restored.value.warnings.length === 0) {
      router.push(`/deposits/statements/${id}?next=1`)
      router.refresh()
    }
  }
  if (warnings.length > 0) {
    return (
      <div role="status" className="mt-1 grid justify-items-start gap-1.5 text-attention text-sm">
        <p>The statement is restored. {warnings.join(' ')}</p>
        <RowLink href={`/deposits/statements/${id}?next=1`}>Open the statement</RowLink>
      </div>
    )
  }
  return (
    <div className="mt-1 grid justify-items-start gap-1.5 text-sm">
      <p className="text-secondary-foreground">
        Discarded by {visibleText(by)}. It can be restored until <Timestamp value={until} />, then it is deleted.
        {yours ? '' : ' Only the person who imported it can restore it.'}
      </p>
      {yours ? (
        <Button
          ref={button}
          variant="outline"
          disabled={!hydrated}
          aria-disabled={restoring}
          onClick={() => (restoring ? undefined : void bringBack())}
        >
          Restore
        </Button>
      ) : null}
      <FormError fault={fault} meaning="attention" />
    </div>
  )
}
