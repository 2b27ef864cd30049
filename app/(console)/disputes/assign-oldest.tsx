'use client'

import { type ComponentProps, useState } from 'react'
import { PageHead } from '#components/frame/page-head.tsx'
import { useRequestedAct } from '#components/look-up/requested-act.ts'
import { Button } from '#components/ui/button.tsx'
import { Inbox } from '#components/ui/icons.tsx'
import { ShortcutHint, usePageKey } from '#components/ui/kbd.tsx'
import type { OldestAssignment } from './oldest-assignment.tsx'

const NOT_LOADED = 'This page did not load fully, so no case was assigned. Reload and try again.'

type AssignOldestProps = ComponentProps<typeof PageHead> & {
  /** Also runs when the omnibox requests it, which then opens the page of disputes. */
  takesRequests?: boolean
}

/** Assigns the oldest unassigned open case to the operator and opens it. The code for this is loaded on first use. */
export function AssignOldest({ takesRequests = false, action, ...head }: AssignOldestProps) {
  const [parts, setParts] = useState<{ readonly Assignment: typeof OldestAssignment } | null>(null)
  const [times, setTimes] = useState(0)
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const assign = async () => {
    if (busy) return
    setBusy(true)
    setFault(null)
    const loaded = await import('./oldest-assignment.tsx').catch(() => null)
    setParts(loaded && { Assignment: loaded.OldestAssignment })
    if (loaded === null) {
      setBusy(false)
      return setFault(NOT_LOADED)
    }
    setTimes((before) => before + 1)
  }
  useRequestedAct(takesRequests ? 'assign-oldest' : null, () => void assign())
  usePageKey('o', () => void assign())
  return (
    <>
      <PageHead
        {...head}
        action={
          <div className="flex flex-wrap gap-2">
            {action}
            <Button
              variant={action ? 'outline' : 'default'}
              aria-disabled={busy}
              aria-keyshortcuts="O"
              onClick={() => void assign()}
            >
              <Inbox aria-hidden />
              Assign the oldest case to me
              <ShortcutHint of="O" />
            </Button>
          </div>
        }
      />
      <p role="status" className="mb-3 text-attention text-sm empty:hidden">
        {fault}
      </p>
      {parts === null ? null : <parts.Assignment times={times} onBusy={setBusy} onFault={setFault} />}
    </>
  )
}
