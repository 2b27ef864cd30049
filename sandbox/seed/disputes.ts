import type { Randomness } from '#sandbox/world/random.ts'
import { CaseFile, type Party } from './case-file.ts'
import type { DisputeSubject } from './dispute-subject.ts'
import { type Disputed, disputed } from './disputed.ts'
import { ago } from './draw.ts'
import { seededMerchant } from './merchants.ts'
import { partiesOf } from './parties.ts'
import type { Payments } from './payments.ts'
import { people, userIdEndingIn } from './people.ts'
import { purchaseDisputes } from './purchase-disputes.ts'
import { transferDisputes } from './transfer-disputes.ts'

const HOUR = 3600
const ARBITRATOR = '002'

const subjects: Readonly<Record<Disputed['subject'], DisputeSubject>> = { ...transferDisputes, ...purchaseDisputes }

export function seedDisputes(payments: Payments, random: Randomness, now: string): CaseFile {
  const file = new CaseFile(random, now)
  const uses = new Map<Disputed['subject'], number>()
  for (const dispute of disputed) {
    const use = uses.get(dispute.subject) ?? 0
    uses.set(dispute.subject, use + 1)
    seedDispute(payments, file, random, now, dispute, use)
  }
  return file
}

function seedDispute(
  payments: Payments,
  file: CaseFile,
  random: Randomness,
  now: string,
  { from, to, amount, ...seeded }: Disputed,
  use: number,
): void {
  const subject = subjects[seeded.subject]
  const [note = '', reason = ''] = subject.cases[use] ?? []
  const hoursAgo = (hours: number) => ago(random, now, hours * HOUR)
  const raisedAt = hoursAgo(seeded.raisedHoursAgo)
  const resolved = seeded.resolved && {
    at: hoursAgo(seeded.raisedHoursAgo - seeded.resolved.afterHours),
    refund: seeded.resolved.refund,
    reason: seeded.resolved.refund ? subject.refunded : subject.released,
  }
  const referenceId = payments.pay({
    ...partiesOf(from, to),
    amount,
    at: hoursAgo(seeded.raisedHoursAgo + seeded.paidHoursBefore),
    fate: 'disputed',
    note,
    dispute: { at: raisedAt, resolved },
  })
  file.add({
    referenceId,
    subject,
    reason,
    amount,
    payer: partyOf(from),
    recipient: partyOf(seededMerchant(to)?.owner ?? to),
    raisedAt,
    messages: seeded.messages,
    arbitratorId: userIdEndingIn(seeded.resolved?.by ?? ARBITRATOR),
    resolved: resolved === undefined ? null : { ...resolved, reversal: payments.reversalOf(referenceId) },
  })
}

const partyOf = (ending: string): Party => ({
  userId: userIdEndingIn(ending),
  firstName: people.find((person) => person.ending === ending)?.first ?? '',
})
