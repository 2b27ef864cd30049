import { Users } from 'lucide-react'
import { TextField } from '#components/form/text-field.tsx'
import type { DraftApproval as Needed } from '#lib/commands/approvals/approval.ts'
import { approvalWords } from './approval-words.ts'

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
