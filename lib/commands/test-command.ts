import type { CommandView, Outcome } from './command.ts'

/** As after a 202. */
export const ACCEPTED: Extract<Outcome, { class: 'accepted' }> = {
  class: 'accepted',
  answer: 'under-way',
  shows: 'The service accepted it. It is not confirmed yet.',
  isUnderWay: true,
  lines: [],
  steps: [],
}

export const commandView = (outcome: Outcome, change: Partial<CommandView> = {}): CommandView => ({
  id: '00000000-0000-4000-8000-0000000c0001',
  kind: 'deposit.confirm',
  title: 'Confirm deposit of 250.00 BZD',
  doneTitle: 'Deposit of 250.00 BZD confirmed',
  target: 'DEP~1',
  actorName: 'operator@example.com',
  sentAt: null,
  settledAt: null,
  traceId: null,
  outcome,
  nextReconcileAt: null,
  readable: true,
  settleAs: null,
  settledByHand: false,
  ...change,
})
