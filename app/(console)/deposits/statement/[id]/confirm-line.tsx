'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useEffectEvent, useState } from 'react'
import { CommandDialogs } from '#components/command/command-dialogs.tsx'
import { CommandOutcome } from '#components/command/command-outcome.tsx'
import { useCommand } from '#components/command/use-command.ts'
import { type LineToConfirm, prepareLine } from '../intake-requests.ts'
import { BothTexts } from './both-texts.tsx'
import type { OpenDialog } from './use-line-acts.ts'

/** Confirms one line that somebody entered something into: both texts are read anew, then it is a change like any other. */
export function ConfirmLine({ id, dialog }: { id: string; dialog: OpenDialog }) {
  const router = useRouter()
  const command = useCommand(null, () => {})
  const [shown, setShown] = useState<LineToConfirm | null>(null)
  const prepare = useEffectEvent((number: number) =>
    command.prepareBy(async () => {
      const asked = await prepareLine(id, number)
      if (!asked.ok) return { ok: false, fields: { line: asked.why }, problem: null }
      setShown(asked.value)
      return { ok: true, draft: asked.value.draft }
    }),
  )
  // Asked for once more, it is a dialog of its own.
  useEffect(() => prepare(dialog.line.number), [dialog])
  const { state, faults } = command
  const told = state.step === 'told' ? `${state.command.id} ${state.command.outcome.class}` : (faults.line ?? '')
  useEffect(() => {
    if (told !== '') router.refresh()
  }, [told, router])
  return (
    <div className="mb-3 grid gap-3">
      {faults.line === undefined ? null : (
        <p role="status" className="rounded-md border border-line bg-attention-wash px-3.5 py-2 text-attention text-sm">
          {faults.line}
        </p>
      )}
      <CommandOutcome command={command} />
      <CommandDialogs command={command}>{shown === null ? null : <BothTexts shown={shown} />}</CommandDialogs>
    </div>
  )
}
