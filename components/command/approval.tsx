import { Button } from '#components/ui/button.tsx'
import { Fact, Facts, TimeFact } from '#components/values/facts.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import type { ApprovalOutcome, CommandView } from '#lib/commands/command.ts'
import { visibleText } from '#lib/values/visible-text.ts'

interface ApprovalProps {
  command: CommandView
  outcome: ApprovalOutcome
  onSend: (() => void) | undefined
  onTakeBack: (() => void) | undefined
}

export function Approval({ command: { yours }, outcome, onSend, onTakeBack }: ApprovalProps) {
  const { needed, approvedBy, reason, expiresAt } = outcome
  const left = needed - approvedBy.length
  return (
    <>
      <p className="px-3.5 py-3 text-secondary-foreground text-sm">
        {left > 0 ? waitingWords(left, approvedBy.length) : sentWords(yours === true)}
      </p>
      <Facts>
        <Fact label="Reason">{visibleText(reason)}</Fact>
        {approvedBy.map(({ name, at }) => (
          <Fact key={`${name} ${at}`} label="Approved by">
            <span>
              {visibleText(name)}, <Timestamp value={at} as="past" />
            </span>
          </Fact>
        ))}
        <TimeFact label="Expires" value={expiresAt} />
      </Facts>
      {yours ? (
        <div className="flex flex-wrap gap-2 px-3.5 pb-3">
          {left > 0 ? null : <Button onClick={onSend}>Send it</Button>}
          <Button variant={left > 0 ? 'outline' : 'ghost'} onClick={onTakeBack}>
            Cancel it
          </Button>
        </div>
      ) : null}
    </>
  )
}

function waitingWords(left: number, approved: number): string {
  const people = left === 1 ? 'someone else' : `${left} other people`
  return `Nothing was sent. It can be sent once ${people} ${approved > 0 ? 'also ' : ''}${left === 1 ? 'approves' : 'approve'} it.`
}

const sentWords = (yours: boolean): string =>
  yours ? 'Approved, not sent yet. Send it now.' : 'Approved. The requester has not sent it yet.'
