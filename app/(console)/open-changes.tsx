'use client'

import { useEffect, useState } from 'react'
import { CommandRow } from '#components/command/command-row.tsx'
import { readOpen } from '#components/command/door.ts'
import { Timestamp } from '#components/domain/timestamp.tsx'
import { Panel } from '#components/ui/panel.tsx'
import type { CommandView } from '#lib/domain/command.ts'

const ASK_EVERY_MS = 4_000

/** Everybody's changes whose end is not known, kept up to date while the page is seen. */
export function OpenChanges({ initial }: { initial: readonly CommandView[] }) {
  const [open, setOpen] = useState(initial)
  const [silent, setSilent] = useState(false)
  useEffect(() => {
    const timer = setInterval(async () => {
      if (document.visibilityState === 'hidden') return
      const answer = await readOpen()
      setSilent(answer?.open === undefined)
      if (answer?.open !== undefined) setOpen(answer.open)
    }, ASK_EVERY_MS)
    return () => clearInterval(timer)
  }, [])
  const unknown = open.filter(({ outcome }) => outcome.class === 'unknown')
  const watched = open.filter(({ outcome }) => outcome.class === 'accepted')
  return (
    <div className="grid gap-4" aria-live="polite">
      {silent ? (
        <p role="alert" className="text-attention text-sm">
          The console does not answer. What stands here may be old.
        </p>
      ) : null}
      <List
        title="Needs attention"
        tone={unknown.length === 0 ? 'neutral' : 'unknown'}
        commands={unknown}
        empty="Every change of everyone here has a known end."
      />
      <List title="Being watched" tone="neutral" commands={watched} empty="No accepted change is waiting to settle." />
    </div>
  )
}

interface ListProps {
  title: string
  tone: 'neutral' | 'unknown'
  commands: readonly CommandView[]
  empty: string
}

const List = ({ title, tone, commands, empty }: ListProps) => (
  <Panel title={title} tone={tone} aside={<span className="figures text-ink-3 text-sm">{commands.length}</span>}>
    {commands.length === 0 ? (
      <p className="px-3.5 py-4 text-ink-2 text-sm">{empty}</p>
    ) : (
      <ul>
        {commands.map((command) => (
          <CommandRow key={command.id} command={command}>
            <span className="text-ink-3">
              {command.actorName}, <Timestamp value={command.sentAt ?? ''} as="relative" />, {lookWords(command)}
            </span>
          </CommandRow>
        ))}
      </ul>
    )}
  </Panel>
)

function lookWords({ nextLookAt, settledByHand }: CommandView): string {
  if (nextLookAt !== null) return 'being checked'
  return settledByHand ? 'waits for your word' : 'waits for someone who may look'
}
