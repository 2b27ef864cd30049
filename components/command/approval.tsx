import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { Button } from '#components/ui/button.tsx'
import { Fact, Facts, TimeFact } from '#components/values/facts.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import type { ApprovalOutcome, CommandView } from '#lib/commands/command.ts'
import { visibleText } from '#lib/values/text.ts'
import { ChangedLines } from './lines.tsx'

interface ApprovalProps {
  command: CommandView
  outcome: ApprovalOutcome
  onSend: (acknowledged: string | null) => void
  onTakeBack: () => void
}

export function Approval({ command, outcome, onSend, onTakeBack }: ApprovalProps) {
  const { yours, approved } = command
  const { needed, approvedBy, reason, expiresAt, askedAt, need, changedFacts = null, rereadOf } = outcome
  const left = needed - approvedBy.length
  const request = `/approvals/${command.id}`
  // Its page says the rest.
  const isItsPage = usePathname() === request
  return (
    <>
      <p className="px-3.5 py-3 text-secondary-foreground text-sm">
        {left > 0 ? waitingWords(left, approvedBy.length) : approvedWords(yours === true, rereadOf !== undefined)}
        {left > 0 && need !== undefined && saysMore(need) ? ` ${need}` : null}
      </p>
      {changedFacts === null ? null : (
        <div className="grid gap-1 pb-2">
          <p className="px-3.5 text-sm">New since your request. Read it before you send.</p>
          <ChangedLines {...changedFacts} earlier="When requested" />
        </div>
      )}
      <Facts>
        {isItsPage ? null : <Fact label="Reason">{visibleText(reason)}</Fact>}
        {isItsPage || askedAt === undefined ? null : <TimeFact label="Requested" value={askedAt} />}
        <Fact label="Approvals">
          <span className="figures">
            {approvedBy.length} of {needed}
          </span>
        </Fact>
        {approvedBy.map(({ name, at }) => (
          <Fact key={`${name} ${at}`} label="Approved by">
            <span>
              {visibleText(name)}, <Timestamp value={at} as="past" />
            </span>
          </Fact>
        ))}
        {isItsPage ? null : <TimeFact label="Expires" value={expiresAt} />}
      </Facts>
      {yours ? (
        <div className="flex flex-wrap gap-2 px-3.5 pb-3">
          {approved === undefined ? null : (
            <Button onClick={() => onSend(changedFacts?.mark ?? null)}>
              {changedFacts === null ? 'Send it' : 'I have read this, continue'}
            </Button>
          )}
          <Button variant={left > 0 ? 'outline' : 'ghost'} onClick={onTakeBack}>
            Cancel it
          </Button>
        </div>
      ) : null}
      {yours || isItsPage ? null : (
        <p className="px-3.5 pb-3 text-sm">
          <Link href={request} prefetch={false} className="text-primary underline-offset-4 hover:underline">
            Open the request
          </Link>
        </p>
      )}
    </>
  )
}

/** Who may approve, beyond their number. */
const saysMore = (need: string): boolean => / by | with a passkey/.test(need)

function waitingWords(left: number, approved: number): string {
  const people = left === 1 ? 'someone else' : `${left} other people`
  return `Nothing was sent. It can be sent once ${people} ${approved > 0 ? 'also ' : ''}${left === 1 ? 'approves' : 'approve'} it.`
}

function approvedWords(yours: boolean, isToBeRead: boolean): string {
  if (isToBeRead) return 'Approved. An approver must read the updates before it can be sent.'
  return yours ? 'Approved, not sent yet. Send it now.' : 'Approved. The author has not sent it yet.'
}
