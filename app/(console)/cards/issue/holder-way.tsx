'use client'

import Link from 'next/link'
import { CommandOutcome } from '#components/command/command-outcome.tsx'
import { useCommand } from '#components/command/use-command.ts'
import { Button } from '#components/ui/button.tsx'
import { Panel } from '#components/ui/panel.tsx'
import type { CommandView } from '#lib/domain/command.ts'
import { RegisterForm } from './register-form.tsx'

interface HolderWayProps {
  /** An issue of which no card is known. */
  issue: CommandView
  /** The card is on the register, which may have settled the issue. */
  onSettled: () => void
  onAnother: () => void
}

/** The way to a card whose issue brought no readable answer: its holder sees it and reads it out. */
export function HolderWay({ issue, onSettled, onAnother }: HolderWayProps) {
  const register = useCommand(null, onSettled)
  const open = issue.outcome.class === 'unknown'
  return (
    <>
      <Panel title={open ? 'Find out with the holder' : 'The card exists, its number is lost'}>
        <ol className="grid list-decimal gap-1.5 py-3 pr-3.5 pl-8 text-ink-2 text-sm">
          <li>Ask the holder to open their own app and look at their cards. They see what nobody here can read.</li>
          <li>
            If a new card is there, they read out its id and its last four digits, never the whole number. Register it
            below.
          </li>
          <li>
            If the card must not be used,{' '}
            <Link href="/cards" prefetch={false} className="text-accent underline underline-offset-4">
              look it up by its id
            </Link>{' '}
            and block it.
          </li>
          {open ? (
            <li>If no card is there some minutes after it was sent, say that it did not happen, and issue it anew.</li>
          ) : null}
        </ol>
        <RegisterForm
          faults={register.faults}
          checking={register.state.step === 'checking'}
          onRegister={(card) => register.prepare('card.register', { issueId: issue.id, ...card })}
        />
        {open ? null : (
          <footer className="border-line border-t px-3.5 py-3">
            <Button look="quiet" onClick={onAnother}>
              Issue another card
            </Button>
          </footer>
        )}
      </Panel>
      <CommandOutcome command={register} />
    </>
  )
}
