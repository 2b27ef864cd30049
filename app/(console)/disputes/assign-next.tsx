'use client'

import { useRouter } from 'next/navigation'
import { type ComponentProps, useRef, useState } from 'react'
import { PageHead } from '#components/frame/page-head.tsx'
import { useRequestedAct } from '#components/look-up/requested-act.ts'
import { Button } from '#components/ui/button.tsx'
import { useIsHere } from '#components/ui/hydrated.tsx'
import { Inbox } from '#components/ui/icons.tsx'
import { ShortcutHint, usePageKey } from '#components/ui/kbd.tsx'
import { awayWords } from '#lib/disputes/workspace/workspace.ts'
import { recordArrival } from './(with-queue)/[caseId]/case-navigation.ts'

const NOT_LOADED = 'This page did not load fully, so no case was assigned. Reload and try again.'

type AssignNextProps = ComponentProps<typeof PageHead> & {
  /** Also runs when the omnibox requests it, which then opens the page of disputes. */
  takesRequests?: boolean
}

/** Assigns to the operator the case that needs a person most, within the page's filter, and opens it. */
export function AssignNext({ takesRequests = false, action, ...head }: AssignNextProps) {
  const router = useRouter()
  const isHere = useIsHere()
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const main = useRef<HTMLButtonElement>(null)
  const [away, setAway] = useState<string | null>(null)
  const assign = async (isConfirmed = false) => {
    if (busy) return
    setBusy(true)
    setFault(null)
    setAway(null)
    const query = window.location.search
    const loaded = await import('./next-assignment.ts').catch(() => null)
    const next = loaded === null ? { why: NOT_LOADED } : await loaded.assignNext(query, isConfirmed)
    if (!isHere()) return
    if ('awayUntil' in next) {
      setBusy(false)
      return setAway(next.awayUntil)
    }
    if ('why' in next) {
      setBusy(false)
      return setFault(next.why)
    }
    recordArrival({ ...next, from: null }, query)
    router.push(`/disputes/${encodeURIComponent(next.caseId)}`)
  }
  useRequestedAct(takesRequests ? 'assign-next' : null, () => void assign())
  usePageKey('o', () => void assign())
  return (
    <>
      <PageHead
        {...head}
        action={
          <div className="flex flex-wrap gap-2">
            {action}
            <Button
              ref={main}
              variant={action ? 'outline' : 'default'}
              aria-disabled={busy}
              aria-keyshortcuts="O"
              onClick={() => void assign()}
            >
              <Inbox aria-hidden />
              Assign the next case to me
              <ShortcutHint of="O" />
            </Button>
          </div>
        }
      />
      <div role="status" className="mb-3 flex flex-wrap items-center gap-3 text-attention text-sm empty:hidden">
        {fault}
        {away === null ? null : (
          <>
            <p>You are {awayWords(away)}, so no case was assigned.</p>
            <Button
              variant="outline"
              onClick={() => {
                main.current?.focus()
                void assign(true)
              }}
            >
              Assign anyway
            </Button>
          </>
        )}
      </div>
    </>
  )
}
