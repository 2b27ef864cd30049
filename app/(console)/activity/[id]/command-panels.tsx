'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { CommandDialogs } from '#components/command/command-dialogs.tsx'
import { CommandOutcome } from '#components/command/command-outcome.tsx'
import { useCommand } from '#components/command/use-command.ts'
import { saveFile } from '#components/export/running-exports.ts'
import { askConsole, problemIn } from '#components/service/ask-console.ts'
import { ProblemPanel } from '#components/service/problem-panel.tsx'
import { Button } from '#components/ui/button.tsx'
import { Card } from '#components/ui/card.tsx'
import { Download } from '#components/ui/icons.tsx'
import type { exportEvidence } from '#lib/activity/evidence.ts'
import type { CommandView } from '#lib/commands/command.ts'
import type { Problem } from '#lib/contract/problem.ts'

/** Polls while the outcome is unknown. */
export function CommandNow({ command: initial }: { command: CommandView }) {
  const router = useRouter()
  const command = useCommand(initial, () => router.refresh())
  return (
    <div className="grid gap-4">
      <CommandOutcome command={command} titleAbove />
      <CommandDialogs command={command} />
    </div>
  )
}

type Answer = Extract<Awaited<ReturnType<typeof exportEvidence>>, { ok: true }>

const CONFIRMED = 'Saved. The witness has confirmed it.'
const UNCONFIRMED = 'Saved. No witness has confirmed it: whoever has the database and the keys could have rewritten it.'

export function ExportEvidence({ id }: { id: string }) {
  const [exporting, setExporting] = useState(false)
  const [saved, setSaved] = useState('')
  const [problem, setProblem] = useState<Problem | null>(null)
  const run = async () => {
    if (exporting) return
    setExporting(true)
    setSaved('')
    setProblem(null)
    const answer = await askConsole(`/api/export/evidence?command=${encodeURIComponent(id)}`)
    setExporting(false)
    if (answer?.status !== 200) return setProblem(problemIn(answer))
    const { dossier, confirmed } = answer.body as Answer
    saveFile(`evidence-${id}.json`, [`${JSON.stringify(dossier)}\n`])
    setSaved(confirmed ? CONFIRMED : UNCONFIRMED)
  }
  return (
    <div className="grid justify-items-start gap-2">
      <Button variant="outline" aria-disabled={exporting} onClick={() => void run()}>
        <Download aria-hidden />
        {exporting ? 'Exporting' : 'Export evidence'}
      </Button>
      <p role="status" className="text-muted-foreground text-sm empty:hidden">
        {exporting ? 'This can take half a minute: the witness confirms it.' : saved}
      </p>
      <div role="alert" className="empty:hidden">
        {problem === null ? null : (
          <Card>
            <ProblemPanel problem={problem} />
          </Card>
        )}
      </div>
    </div>
  )
}
