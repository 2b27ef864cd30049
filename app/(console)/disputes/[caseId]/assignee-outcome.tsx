import { X } from 'lucide-react'
import { OutcomeOnDemand } from '#components/command/outcome-on-demand.tsx'
import type { Command } from '#components/command/use-command.ts'
import { Button } from '#components/ui/button.tsx'
import { WithTimes } from '#components/values/with-times.tsx'

/** What came of an act on the assignee, below the head of the case; nothing while it went as it should: then the head says so. */
export function AssigneeOutcome({ command }: { command: Command }) {
  return (
    <div className="max-h-[50%] shrink-0 overflow-y-auto border-b px-4 py-2 text-sm empty:hidden">
      {outcomeOf(command)}
    </div>
  )
}

function outcomeOf(command: Command) {
  const { state, faults } = command
  const outcome = state.step === 'outcome' ? state.command.outcome : null
  if (outcome?.class === 'done') return null
  if ((outcome !== null && outcome.class !== 'refused') || state.step === 'problem' || state.step === 'unanswered') {
    return <OutcomeOnDemand command={command} />
  }
  const words = outcome === null ? faults.caseId : `${outcome.title}. ${outcome.advice}`
  if (words === undefined) return null
  return (
    <p role="alert" className="flex items-center gap-2 text-attention">
      <span className="min-w-0 break-words">
        <WithTimes text={words} />
      </span>
      {outcome === null ? null : (
        <Button size="icon" variant="ghost" aria-label="Dismiss" onClick={command.clear}>
          <X aria-hidden />
        </Button>
      )}
    </p>
  )
}
