import { Users } from 'lucide-react'
import { TextField } from '#components/form/text-field.tsx'
import type { DraftApproval as Needed } from '#lib/commands/approvals/approval.ts'

interface DraftApprovalProps {
  approval: Needed
  fault: string | null
  onReason: (reason: string) => void
}

export const DraftApproval = ({ approval, fault, onReason }: DraftApprovalProps) => (
  <div className="border-t bg-attention-wash px-4.5 py-3">
    <p className="flex gap-2 text-sm">
      <Users aria-hidden className="mt-0.5 size-4 shrink-0 text-attention" />
      <span className="grid gap-1">
        {approval.need}
        {approval.rules.map((rule) => (
          <span key={rule} className="text-secondary-foreground">
            {rule}
          </span>
        ))}
      </span>
    </p>
    <TextField
      className="mt-2"
      label="Reason for approval"
      name="reason"
      fault={fault}
      onText={onReason}
      help={`The approver sees this. After approval you have ${approval.hours} hours from now to send it.`}
    />
  </div>
)
