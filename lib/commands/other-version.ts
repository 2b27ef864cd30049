import 'server-only'
import type { Outcome } from '#lib/domain/command.ts'
import type { CommandRow, CommandState } from '#lib/store/commands.ts'

/** While a new version is rolled out, a command may be of a kind that this process does not know. */
export const OTHER_VERSION = 'Another version of the console made it. Look at it there: reload the page in a moment.'

/** What is known of such a command by its state alone: how its outcome is written is that version's business. */
export function outcomeByState({ state }: Pick<CommandRow, 'state'>): Outcome {
  switch (state as CommandState) {
    case 'sent':
      return { class: 'sending' }
    case 'done':
    case 'applied':
      return { class: 'done', lines: [], steps: [] }
    case 'accepted':
      return { class: 'accepted', lines: [], steps: [] }
    case 'refused':
    case 'not_applied':
      return refusal(true, 'It did not take effect')
    case 'draft':
    case 'closed':
      return refusal(false, 'It was not sent')
    case 'challenged':
      return notHere
    default:
      return { class: 'unknown', checking: '', advice: OTHER_VERSION, traceId: null }
  }
}

const refusal = (sent: boolean, title: string): Outcome => ({
  class: 'refused',
  sent,
  title,
  advice: OTHER_VERSION,
  problem: null,
})

/** It is neither sent nor ended here. */
export const notHere: Outcome = refusal(false, 'It cannot go on here')
