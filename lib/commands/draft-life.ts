import type { Outcome } from './command.ts'
import type { CommandRow } from './command-table.ts'

/** People must confirm recently read data. */
export const DRAFT_LIFE_MS = 10 * 60_000

export const isExpired = (draft: Pick<CommandRow, 'created_at'>): boolean =>
  Date.now() > Date.parse(draft.created_at) + DRAFT_LIFE_MS

export const expired: Outcome = {
  class: 'refused',
  sent: false,
  title: 'This was prepared more than ten minutes ago',
  advice: 'Nothing was sent. Check it again and confirm it anew.',
  problem: null,
}
