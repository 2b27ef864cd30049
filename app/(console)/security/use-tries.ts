import { useState } from 'react'
import type { Command } from '#components/command/use-command.ts'
import { type LockAhead, lockAheadWords } from '#lib/commands/code.ts'

/** Rejected codes of one change. A rejection is shown beside the field, and the next code starts a new command. */
export interface Tries {
  /** The current code was rejected. */
  readonly rejected: boolean
  /** The id of the last rejected command; kept while the next one is in progress. */
  readonly latest: string | null
}

export function useTries({ state }: Command): Tries {
  const [latest, setLatest] = useState<string | null>(null)
  const outcome = state.step === 'outcome' ? state.command.outcome : null
  const rejected = outcome?.class === 'refused' && outcome.problem?.code === 'core::gatekeeper::code::invalid'
  if (rejected && state.step === 'outcome' && state.command.id !== latest) setLatest(state.command.id)
  return { rejected, latest }
}

/** If the service does not announce the next lockout, the warning appears only after a first rejection. */
export const lockWarning = ({ latest }: Tries, ahead: LockAhead): string | null =>
  ahead.isNext === null && latest === null ? null : lockAheadWords(ahead)
