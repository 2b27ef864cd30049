import { useState } from 'react'
import type { Command } from '#components/command/use-command.ts'
import { type LockAhead, lockAheadWords } from '#lib/commands/code.ts'

/** Codes of a change that were rejected. That is told beside the field, and the next code starts a new change. */
export interface Tries {
  /** The present code was rejected. */
  readonly rejected: boolean
  /** The change that was rejected last; stays while the next one is on its way. */
  readonly latest: string | null
}

export function useTries({ state }: Command): Tries {
  const [latest, setLatest] = useState<string | null>(null)
  const outcome = state.step === 'outcome' ? state.command.outcome : null
  const rejected = outcome?.class === 'refused' && outcome.problem?.code === 'core::gatekeeper::code::invalid'
  if (rejected && state.step === 'outcome' && state.command.id !== latest) setLatest(state.command.id)
  return { rejected, latest }
}

/** What the next rejected code does; where that is not known, it is told once a code was rejected. */
export const lockWarning = ({ latest }: Tries, ahead: LockAhead): string | null =>
  ahead.isNext === null && latest === null ? null : lockAheadWords(ahead)
