import type { Command } from './use-command.ts'

const WAIT = 'The last one was sent, and its end is not known yet. Wait until it is.'
const WAIT_FOR_ANSWER = 'The last one may have been sent, and its end is not known yet. Wait until it is.'

/** Null when the change can start. */
export function openReason({ state }: Pick<Command, 'state'>): string | null {
  if (state.step === 'unanswered') return WAIT_FOR_ANSWER
  if (state.step !== 'outcome') return null
  const { outcome, settledByHand, yours } = state.command
  switch (outcome.class) {
    case 'sending':
      return WAIT
    case 'unknown':
    case 'accepted':
      return settledByHand ? 'The end of the last one is not known. Settle it first.' : WAIT
    case 'prepared':
    case 'step-up':
      // Another operator's command expires without being sent.
      return yours ? 'The last one still waits for you. Go on with it, or cancel it.' : null
    default:
      return null
  }
}
