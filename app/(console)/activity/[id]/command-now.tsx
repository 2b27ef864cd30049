'use client'

import { useRouter } from 'next/navigation'
import { CommandDialogs } from '#components/command/command-dialogs.tsx'
import { CommandOutcome } from '#components/command/command-outcome.tsx'
import { useCommand } from '#components/command/use-command.ts'
import { ExportEvidence } from '#components/export/export-progress.tsx'
import type { CommandView } from '#lib/commands/command.ts'

/** Polls while the outcome is unknown. */
export function CommandNow({ command: initial }: { command: CommandView }) {
  const router = useRouter()
  const command = useCommand(initial, () => router.refresh())
  const { id, kind } = initial
  return (
    <div className="grid gap-4">
      <CommandOutcome command={command} titleAbove />
      <CommandDialogs command={command} />
      {kind === 'evidence.export' ? null : <ExportEvidence address={`/api/export/evidence?command=${id}`} />}
    </div>
  )
}
