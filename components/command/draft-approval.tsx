import { Users } from 'lucide-react'
import { TextField } from '#components/form/text-field.tsx'
import type { DraftApproval as Needed } from '#lib/commands/approvals/approval.ts'

interface DraftApprovalProps {
  approval: Needed
  fault: string | null
  onReason: (reason: string) => void
}

/** Which approval a draft needs, and why its author wants it. */
export const DraftApproval = ({ approval, fault, onReason }: DraftApprovalProps) => (
  <div className="border-t bg-attention-wash px-4.5 py-3">
    <p className="flex gap-2 text-sm">
      <Users aria-hidden className="mt-0.5 size-4 shrink-0 text-attention" />
      {approvalWords(approval)}
    </p>
    <TextField
      className="mt-2"
      label="Why do you want it?"
      name="reason"
      fault={fault}
      onText={onReason}
      help={`Who approves it reads this. Once approved, you send it, within ${approval.hours} hours from now.`}
    />
  </div>
)

/** `Of 1,000.00 BZD or more this needs the approval of somebody else.` */
export function approvalWords({ by, rules }: Pick<Needed, 'by' | 'rules'>): string {
  const who = by === 1 ? 'somebody else' : `${by} other people`
  const of = rules.find((rule) => !rule.beyondLimit)?.of
  if (of === undefined) return `Beyond your limit this needs the approval of ${who}.`
  return of === '' ? `This needs the approval of ${who}.` : `A change ${of} needs the approval of ${who}.`
}
