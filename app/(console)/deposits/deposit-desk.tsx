'use client'

import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { CommandDialogs } from '#components/command/command-dialogs.tsx'
import { CommandOutcome } from '#components/command/command-outcome.tsx'
import { type Command, useCommand } from '#components/command/use-command.ts'
import { ProblemPanel } from '#components/domain/problem-panel.tsx'
import { StateBadge } from '#components/domain/state-badge.tsx'
import { type UnsentText, useUnsentText } from '#components/domain/use-unsent-text.ts'
import { Panel } from '#components/ui/panel.tsx'
import type { Problem } from '#lib/contract/problem.ts'
import type { CommandView } from '#lib/domain/command.ts'
import { confirmFault } from '#lib/domain/deposit.ts'
import type { KeptText } from '#lib/domain/unsent-text.ts'
import { ConfirmForm } from './confirm-form.tsx'
import { type DepositFacts, DepositFactsList } from './deposit-facts.tsx'

interface DepositDeskProps {
  lookUp: ReactNode
  /** Null when the transaction could not be read; then `problem` says why. */
  facts: DepositFacts | null
  problem: Problem | null
  missingScope: string | null
  /** What this console last did about this deposit. */
  latest: CommandView | null
  /** What was typed here before and not sent. */
  unsent: KeptText
}

/** One deposit: its facts, the match with the bank's statement, and at the right what came of confirming it. */
export function DepositDesk({ lookUp, facts, problem, missingScope, latest, unsent }: DepositDeskProps) {
  const router = useRouter()
  const command = useCommand(latest, () => router.refresh())
  const typed = useUnsentText(unsent)
  const forget = useEffectEvent(typed.forget)
  const done = command.state.step === 'told' && command.state.command.outcome.class === 'done'
  useEffect(() => {
    if (done) forget()
  }, [done])
  // A later read that fails takes nothing away: not the facts, not what was typed.
  const [known, setKnown] = useState(facts)
  if (facts !== null && facts !== known) setKnown(facts)
  return (
    <div className="grid items-start gap-4 wide:grid-cols-[minmax(0,1fr)_392px]">
      <Panel title="Confirm a deposit" aside={known === null ? null : <StateBadge state={known.state} />}>
        <div className="px-3.5 pt-3.5 pb-1.5">{lookUp}</div>
        {problem === null ? null : <ProblemPanel problem={problem} className="border-line border-t" />}
        {known === null ? null : <DepositFactsList facts={known} />}
        {known === null ? null : (
          <Confirmation facts={known} missingScope={missingScope} command={command} typed={typed} />
        )}
      </Panel>
      <div className="grid gap-4">
        <CommandOutcome command={command} />
      </div>
      <CommandDialogs command={command} />
    </div>
  )
}

interface ConfirmationProps {
  facts: DepositFacts
  missingScope: string | null
  command: Command
  typed: UnsentText
}

/** The form, or why this deposit cannot be confirmed. */
function Confirmation({ facts, missingScope, command, typed }: ConfirmationProps) {
  const blocked = confirmFault(facts)
  if (blocked === null) {
    return (
      <ConfirmForm
        facts={facts}
        missingScope={missingScope}
        typed={typed}
        faults={command.faults}
        heldBy={command.heldBy}
        checking={command.state.step === 'checking'}
        onPrepare={(params) => command.prepare('deposit.confirm', params)}
      />
    )
  }
  return (
    <p className="border-line border-t px-3.5 py-3 text-ink-2 text-sm">
      {blocked}{' '}
      <Link
        href={`/transactions/${encodeURIComponent(facts.reference)}`}
        prefetch={false}
        className="text-accent underline underline-offset-4"
      >
        Open the transaction
      </Link>
    </p>
  )
}
