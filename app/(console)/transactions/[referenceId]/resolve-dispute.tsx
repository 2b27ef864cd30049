'use client'

import { type ComponentProps, useMemo } from 'react'
import { CommandDialogs } from '#components/command/command-dialogs.tsx'
import { loadCommandOutcome, OutcomeOnDemand } from '#components/command/outcome-on-demand.tsx'
import { useCommand } from '#components/command/use-command.ts'
import { ResolvePanel } from '#components/disputes/resolve-panel.tsx'
import { KnownOfCase } from '#components/disputes/snippets.tsx'
import { RefreshIfOld } from '#components/service/retry-button.tsx'
import { useAutomaticRefresh } from '#components/service/session-events.ts'
import type { CommandView } from '#lib/commands/command.ts'
import { shownMoney } from '#lib/disputes/resolution.ts'

interface ResolveDisputeProps {
  referenceId: string
  /** Null if the dispute is resolved or cannot be read: the outcome stays. */
  form:
    | (Pick<ComponentProps<typeof ResolvePanel>, 'disputed' | 'kept' | 'verifiedUntil' | 'blockedReason' | 'policy'> & {
        readonly renderedAtMs: number
      })
    | null
  latest: CommandView | null
}

export function ResolveDispute({ referenceId, form, latest }: ResolveDisputeProps) {
  const command = useCommand(latest, useAutomaticRefresh(), loadCommandOutcome)
  const known = useMemo(() => {
    if (form === null) return null
    const { fromAccountId, toAccountId, debit } = form.disputed
    return { reference: referenceId, amount: shownMoney(debit), sender: fromAccountId, recipient: toAccountId }
  }, [referenceId, form])
  return (
    <KnownOfCase value={known}>
      <OutcomeOnDemand command={command} />
      {form === null ? null : (
        <>
          <RefreshIfOld renderedAtMs={form.renderedAtMs} />
          <ResolvePanel
            {...form}
            of="transaction"
            command={command}
            onPrepare={(decision, reason) => command.prepare('transaction.resolve', { referenceId, decision, reason })}
          />
        </>
      )}
      <CommandDialogs command={command} danger />
    </KnownOfCase>
  )
}
