import type { DraftApproval } from '#lib/commands/approvals/approval.ts'

/** `A change of 1,000.00 BZD or more needs the approval of somebody else.` */
export function approvalWords({ by, rules, administers }: Pick<DraftApproval, 'by' | 'rules' | 'administers'>): string {
  if (administers) return 'This needs the approval of somebody who administers this console.'
  const who = by === 1 ? 'somebody else' : `${by} other people`
  const of = rules.find((rule) => !rule.beyondLimit)?.of
  if (of === undefined) return `Beyond your limit this needs the approval of ${who}.`
  return of === '' ? `This needs the approval of ${who}.` : `A change ${of} needs the approval of ${who}.`
}
