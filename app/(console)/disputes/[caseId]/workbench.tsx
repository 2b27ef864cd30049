'use client'

import { useRouter } from 'next/navigation'
import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { CommandDialogs } from '#components/command/command-dialogs.tsx'
import { CommandOutcome } from '#components/command/command-outcome.tsx'
import { useCommand } from '#components/command/use-command.ts'
import { ClaimBar } from '#components/disputes/claim-bar.tsx'
import { InternalNotes } from '#components/disputes/internal-notes.tsx'
import { ResolvePanel } from '#components/disputes/resolve-panel.tsx'
import { Reference } from '#components/domain/reference.tsx'
import { StateBadge } from '#components/domain/state-badge.tsx'
import { Timestamp } from '#components/domain/timestamp.tsx'
import { useCaseStream } from '#components/live/use-case-stream.ts'
import type { CaseSnapshot } from '#lib/domain/case-stream.ts'
import type { CommandView } from '#lib/domain/command.ts'
import type { Disputed } from '#lib/domain/resolution.ts'
import type { KeptText } from '#lib/domain/unsent-text.ts'
import { LiveChip } from './live-chip.tsx'
import { Panes } from './panes.tsx'
import { type KnownReversal, ResolvedPanel } from './resolved-panel.tsx'
import { ThreadPane } from './thread-pane.tsx'
import type { Outgoing } from './use-outbox.ts'

interface WorkbenchProps {
  caseId: string
  /** The person's own id; null when the console does not know it. */
  me: string | null
  initial: CaseSnapshot
  /** Null while the disputed transaction cannot be read. */
  disputed: Disputed | null
  /** What was typed and not sent. */
  kept: { readonly message: KeptText; readonly reason: KeptText; readonly note: KeptText }
  /** Messages of before whose end is not known. */
  open: readonly Outgoing[]
  /** What is missing for writing into the thread. */
  missingScope: string | null
  /** Why this person cannot decide the case. */
  barred: string | null
  /** What this console last sent to resolve the case. */
  latest: CommandView | null
  reversal: KnownReversal
  transaction: ReactNode
  /** The open cases. */
  queue: ReactNode
  /** What is known of the case and its people. */
  facts: ReactNode
}

/** One case: the thread, live, and beside it what one decides on, and the decision. */
export function Workbench(props: WorkbenchProps) {
  const { caseId, me, initial, disputed, kept, latest } = props
  const router = useRouter()
  const stream = useCaseStream(caseId, initial)
  const command = useCommand(latest, () => {
    router.refresh()
    stream.resync()
  })
  const { case: found, readOnly } = stream
  useOnceClosed(readOnly && !initial.readOnly, () => router.refresh())
  const [wasOpen] = useState(!initial.readOnly)
  const { step } = command.state
  const end = useFocusAtTheEnd(readOnly && wasOpen, step === 'confirming' || step === 'verifying')
  const { raisedByUserId, counterpartyUserId } = found
  const { fromAccountId = null, toAccountId = null } = disputed ?? {}
  const parties = useMemo(
    () => ({ raisedByUserId, counterpartyUserId, fromAccountId, toAccountId }),
    [raisedByUserId, counterpartyUserId, fromAccountId, toAccountId],
  )
  return (
    <>
      <Panes
        queue={props.queue}
        thread={
          <>
            <header className="flex flex-wrap items-center gap-x-3 gap-y-1.5 border-line border-b px-4 py-2.5 sm:px-6">
              <h1 className="text-base">
                <Reference value={caseId} name="Case" short />
              </h1>
              <StateBadge state={found.status} of="case" />
              <LiveChip connection={stream.connection} />
              <span className="text-ink-3 text-sm">
                opened <Timestamp value={found.createdAt} as="relative" />
              </span>
              <div className="ml-auto min-w-0">
                <ClaimBar caseId={caseId} />
              </div>
            </header>
            <ThreadPane
              caseId={caseId}
              stream={stream}
              parties={parties}
              me={me}
              kept={kept.message}
              open={props.open}
              missingScope={props.missingScope}
              resolved={
                <ResolvedPanel
                  box={end}
                  found={found}
                  reversal={props.reversal}
                  sender={props.disputed?.fromAccountId ?? null}
                  me={me}
                />
              }
            />
          </>
        }
        facts={
          <>
            <CommandOutcome command={command} />
            {props.transaction}
            {readOnly || disputed === null ? null : (
              <ResolvePanel
                disputed={disputed}
                kept={kept.reason}
                command={command}
                barred={props.barred}
                onPrepare={(decision, reason) =>
                  command.prepare('dispute.resolve', {
                    caseId,
                    referenceId: found.referenceId,
                    decision,
                    reason,
                    latestMessageId: stream.messages.at(-1)?.id ?? '',
                  })
                }
              />
            )}
            <InternalNotes caseId={caseId} kept={kept.note} />
            {props.facts}
          </>
        }
      />
      <CommandDialogs command={command} danger />
    </>
  )
}

/** When a case closes before the reader's eyes, what the server knows of it is asked for once more. */
function useOnceClosed(closed: boolean, act: () => void): void {
  const [told, setTold] = useState(false)
  useEffect(() => {
    if (!closed || told) return
    setTold(true)
    act()
  }, [closed, told, act])
}

/** When a case closes, the field or the button that had the focus is gone: then the answer, how it ended, has it. */
function useFocusAtTheEnd(closed: boolean, asking: boolean): RefObject<HTMLElement | null> {
  const end = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!closed || asking) return
    // After a dialog that closes has given the focus back, to whatever is still there.
    const timer = setTimeout(() => {
      if (document.activeElement === document.body) end.current?.focus()
    })
    return () => clearTimeout(timer)
  }, [closed, asking])
  return end
}
