import 'server-only'
import type { Outcome } from '#lib/commands/command.ts'
import type { CommandRow, Note } from '#lib/commands/command-table.ts'
import { config } from '#lib/config/config.ts'
import type { Trx } from '#lib/store/tables.ts'
import type { Denial } from './denials.ts'
import { effectDigest } from './effect-digest.ts'
import { beyondWords } from './limit-words.ts'
import { type Beyond, limitGoneBeyond } from './limits.ts'

/** Why a command is not sent, and what the journal keeps of it. */
export interface StoppedByPolicy {
  readonly outcome: Extract<Outcome, { class: 'refused' }>
  readonly note: Note & { readonly denial: Denial }
}

/**
 * Judges a command in the transaction that would send it. It ends here when it is no longer what was prepared, when it was
 * prepared under another policy, or when it goes beyond a limit of its person. Null when it may go out.
 */
export async function stoppedByPolicy(trx: Trx, row: CommandRow): Promise<StoppedByPolicy | null> {
  const { version } = config().policy
  if (row.effect === null || row.policy !== version) {
    const policies = { preparedUnder: row.policy ?? 'none', policyNow: version ?? 'none' }
    const title = row.effect === null ? 'Another version of the console prepared this' : 'The policy has changed'
    return stopped(title, START_ANEW, { denial: 'policy-changed', ...policies })
  }
  if (effectDigest(row) !== row.effect) {
    return stopped('This is not what was prepared', START_ANEW, { denial: 'effect-differs' })
  }
  const beyond = await limitGoneBeyond(trx, row)
  if (beyond === null) return null
  const { outcome, note } = stopped(
    'This is beyond your limit',
    `Nothing was sent. ${beyondWords(beyond)}`,
    numbers(beyond, row),
  )
  return { outcome: { ...outcome, limit: true }, note }
}

const START_ANEW = 'Nothing was sent. Check it again and confirm it anew.'

const stopped = (title: string, advice: string, note: StoppedByPolicy['note']): StoppedByPolicy => ({
  outcome: { class: 'refused', sent: false, title, advice, problem: null },
  note,
})

/** Everything that the denial was judged by. */
const numbers = ({ rule: { limit, when }, used }: Beyond, row: CommandRow): StoppedByPolicy['note'] => ({
  denial: 'limit',
  ...(when.amountAtLeast === undefined ? {} : { limitFrom: when.amountAtLeast }),
  ...(limit.sum === undefined ? {} : { limitSum: limit.sum, usedSum: used.sum, askedSum: row.amount ?? 'not known' }),
  ...(limit.count === undefined ? {} : { limitCount: limit.count, usedCount: used.count }),
})
