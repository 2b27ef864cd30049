'use client'

import { type ReactNode, useMemo } from 'react'
import { CommandDialogs } from '#components/command/command-dialogs.tsx'
import { loadCommandOutcome, OutcomeOnDemand } from '#components/command/outcome-on-demand.tsx'
import { useCommand } from '#components/command/use-command.ts'
import { ResolvePanel } from '#components/disputes/resolve-panel.tsx'
import { KnownOfCase } from '#components/disputes/snippets.tsx'
import { useAutomaticRefresh } from '#components/service/session-events.ts'
import type { CommandView } from '#lib/commands/command.ts'
import { type Disputed, shownMoney } from '#lib/disputes/resolution.ts'
import type { KeptText } from '#lib/session/unsent-text-place.ts'

interface ResolveDisputeProps {
  referenceId: string
  disputed: Disputed
  kept: KeptText
  verifiedUntil: string | null
  blockedReason: string | null
  policy: ReactNode
  latest: CommandView | null
  /** The dispute is resolved: the form is gone, and the outcome stays. */
  over: boolean
}

export function ResolveDispute({ referenceId, latest, over, ...props }: ResolveDisputeProps) {
  const refresh = useAutomaticRefresh()
  const command = useCommand(latest, refresh, loadCommandOutcome)
  const { fromAccountId, toAccountId, debit } = props.disputed
  const known = useMemo(
    () => ({ reference: referenceId, amount: shownMoney(debit), sender: fromAccountId, recipient: toAccountId }),
    [referenceId, debit, fromAccountId, toAccountId],
  )
  return (
    <KnownOfCase value={known}>
      <OutcomeOnDemand command={command} />
      {over ? null : (
        <ResolvePanel
          {...props}
          of="transaction"
          command={command}
          onPrepare={(decision, reason) => command.prepare('transaction.resolve', { referenceId, decision, reason })}
        />
      )}
      <CommandDialogs command={command} danger />
    </KnownOfCase>
  )
}
