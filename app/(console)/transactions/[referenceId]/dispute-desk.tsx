'use client'

import { useRouter } from 'next/navigation'
import { CommandDialogs } from '#components/command/command-dialogs.tsx'
import { CommandOutcome } from '#components/command/command-outcome.tsx'
import { useCommand } from '#components/command/use-command.ts'
import { ResolvePanel } from '#components/disputes/resolve-panel.tsx'
import type { CommandView } from '#lib/domain/command.ts'
import type { Disputed } from '#lib/domain/resolution.ts'
import type { KeptText } from '#lib/domain/unsent-text.ts'

interface DisputeDeskProps {
  referenceId: string
  disputed: Disputed
  kept: KeptText
  barred: string | null
  latest: CommandView | null
  /** Nothing is decided any more; what came of the decision stays in sight. */
  over: boolean
}

/** The decision about a disputed transaction that no case is about, and what came of it. */
export function DisputeDesk({ referenceId, disputed, kept, barred, latest, over }: DisputeDeskProps) {
  const router = useRouter()
  const command = useCommand(latest, () => router.refresh())
  return (
    <>
      <CommandOutcome command={command} />
      {over ? null : (
        <ResolvePanel
          disputed={disputed}
          kept={kept}
          command={command}
          barred={barred}
          onPrepare={(decision, reason) => command.prepare('transaction.resolve', { referenceId, decision, reason })}
        />
      )}
      <CommandDialogs command={command} danger />
    </>
  )
}
