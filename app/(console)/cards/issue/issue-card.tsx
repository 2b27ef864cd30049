'use client'

import { useRouter } from 'next/navigation'
import { type ReactNode, useEffect, useState } from 'react'
import { CommandDialogs } from '#components/command/command-dialogs.tsx'
import { CommandOutcome } from '#components/command/command-outcome.tsx'
import { type Command, useCommand } from '#components/command/use-command.ts'
import { TwoColumns } from '#components/frame/two-columns.tsx'
import { issuedCardOf } from '#lib/cards/card.ts'
import type { CommandView } from '#lib/commands/command.ts'
import { CardNumberOnce } from './card-number-once.tsx'
import type { CardTypeSeen } from './card-type-field.tsx'
import { HolderWay } from './holder-way.tsx'
import { IssueForm, type Params, type Replaced } from './issue-form.tsx'
import { IssuedCard, type NumberEnd } from './issued-card.tsx'

interface IssueCardProps {
  missingScope: string | null
  /** The issue that the address names, with the outcome known when the page was rendered. */
  latest: CommandView | null
  /** The operator's input for that issue; null when it is not known here. */
  typed: Params | null
  typesSeen: readonly CardTypeSeen[] | null
  replaced: Replaced | null
  /** Empty when the address names no holder. */
  holder: string
}

const stay = () => {}

/** Shows the form, then the card number once, then the last four digits. The outcome is at the right. */
export function IssueCard({ missingScope, latest, typed, typesSeen, replaced, holder }: IssueCardProps) {
  const command = useCommand(latest, stay)
  const [ended, setEnded] = useState<NumberEnd | null>(null)
  // Each new card starts with empty fields.
  const [round, setRound] = useState(0)
  // Restored to the form when it turns out that nothing was issued.
  const [submitted, setSubmitted] = useState(typed)
  useCommandInAddress(command)
  useFreshPage(command, latest)

  const end = (how: NumberEnd) => {
    command.forget()
    setEnded(how)
  }
  const another = () => {
    command.clear()
    setEnded(null)
    setRound(round + 1)
    setSubmitted(null)
  }
  const outcome = <CommandOutcome command={command} />
  if (mayBeOnItsWay(command)) return <div className="grid max-w-xl">{outcome}</div>
  return (
    <TwoColumns>
      <div className="grid gap-4">
        <Stage command={command} ended={ended} onEnd={end} onAnother={another}>
          <IssueForm
            key={round}
            missingScope={missingScope}
            typesSeen={typesSeen}
            replaced={round === 0 ? replaced : null}
            typed={submitted}
            holder={round === 0 ? holder : ''}
            faults={command.faults}
            checking={command.state.step === 'checking'}
            onPrepare={(params) => {
              setSubmitted(params)
              command.prepare('card.issue', params)
            }}
          />
        </Stage>
      </div>
      <div className="grid gap-4">{outcome}</div>
      <CommandDialogs command={command} />
    </TwoColumns>
  )
}

/** While a request may still reach the service, the operator cannot start a second card. */
const mayBeOnItsWay = ({ state }: Command): boolean =>
  state.step === 'unanswered' ||
  (state.step === 'outcome' &&
    (state.command.outcome.class === 'sending' || state.command.outcome.class === 'prepared'))

interface StageProps {
  command: Command
  ended: NumberEnd | null
  onEnd: (how: NumberEnd) => void
  onAnother: () => void
  children: ReactNode
}

function Stage({ command, ended, onEnd, onAnother, children }: StageProps) {
  const { state } = command
  if (state.step !== 'outcome') return children
  if (state.once?.what === 'card-number') return <CardNumberOnce cardNumber={state.once.cardNumber} onEnd={onEnd} />
  const card = issuedCardOf(state.command)
  if (card !== null) return <IssuedCard card={card} ended={ended} onAnother={onAnother} />
  switch (state.command.outcome.class) {
    case 'unknown':
    case 'done':
      return <HolderWay issue={state.command} onSettled={command.reconcileNow} onAnother={onAnother} />
    default:
      return children
  }
}

/**
 * Puts the command's id into the address before the command is sent, so that a reload shows its outcome. The address
 * holds only ids, never the card number.
 */
function useCommandInAddress({ state }: Command): void {
  const id = idOf(state)
  useEffect(() => {
    const { pathname, search } = window.location
    const query = new URLSearchParams(search)
    if (query.get('command') === id) return
    if (id === null) query.delete('command')
    else query.set('command', id)
    window.history.replaceState(null, '', query.size === 0 ? pathname : `${pathname}?${query}`)
  }, [id])
}

/**
 * Makes the server render the outcome, so that it is there when the operator leaves and returns. That render never
 * contains the number.
 */
function useFreshPage({ state }: Command, known: CommandView | null): void {
  const router = useRouter()
  const current = state.step === 'outcome' ? state.command : null
  const news = current !== null && (current.id !== known?.id || current.outcome.class !== known.outcome.class)
  useEffect(() => {
    if (news) router.refresh()
  }, [news, router])
}

function idOf(state: Command['state']): string | null {
  switch (state.step) {
    case 'confirming':
      return state.draft.id
    case 'verifying':
    case 'outcome':
      return state.command.id
    case 'unanswered':
      return state.id
    default:
      return null
  }
}
