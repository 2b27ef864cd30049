import type { Randomness } from '#sandbox/world/random.ts'
import { CaseFile, type Party } from './case-file.ts'
import { type Disputed, disputed } from './disputed.ts'
import { ago } from './draw.ts'
import { seededMerchant } from './merchants.ts'
import { partiesOf } from './parties.ts'
import { people, userIdEndingIn } from './people.ts'
import type { Plot } from './plot.ts'
import { purchasePlots } from './purchase-plots.ts'
import type { Story } from './story.ts'
import { transferPlots } from './transfer-plots.ts'

const HOUR = 3600
/** Who looks after the open cases. */
const ARBITRATOR = '002'

const plots: Readonly<Record<Disputed['plot'], Plot>> = { ...transferPlots, ...purchasePlots }

/** Tells the disputed payments, and answers the cases about them. */
export function tellDisputes(story: Story, random: Randomness, now: string): CaseFile {
  const file = new CaseFile(random, now)
  const uses = new Map<Disputed['plot'], number>()
  for (const dispute of disputed) {
    const use = uses.get(dispute.plot) ?? 0
    uses.set(dispute.plot, use + 1)
    tellDispute(story, file, random, now, dispute, use)
  }
  return file
}

function tellDispute(
  story: Story,
  file: CaseFile,
  random: Randomness,
  now: string,
  { from, to, amount, ...told }: Disputed,
  use: number,
): void {
  const plot = plots[told.plot]
  const [note = '', reason = ''] = plot.cases[use] ?? []
  const hoursAgo = (hours: number) => ago(random, now, hours * HOUR)
  const raisedAt = hoursAgo(told.raisedHoursAgo)
  const resolved = told.resolved && {
    at: hoursAgo(told.raisedHoursAgo - told.resolved.afterHours),
    refund: told.resolved.refund,
    reason: told.resolved.refund ? plot.refunded : plot.released,
  }
  const referenceId = story.pay({
    ...partiesOf(from, to),
    amount,
    at: hoursAgo(told.raisedHoursAgo + told.paidHoursBefore),
    fate: 'disputed',
    note,
    dispute: { at: raisedAt, resolved },
  })
  file.add({
    referenceId,
    plot,
    reason,
    amount,
    payer: partyOf(from),
    recipient: partyOf(seededMerchant(to)?.owner ?? to),
    raisedAt,
    messages: told.messages,
    arbitratorId: userIdEndingIn(told.resolved?.by ?? ARBITRATOR),
    resolved: resolved === undefined ? null : { ...resolved, reversal: story.reversalOf(referenceId) },
  })
}

const partyOf = (ending: string): Party => ({
  userId: userIdEndingIn(ending),
  firstName: people.find((person) => person.ending === ending)?.first ?? '',
})
