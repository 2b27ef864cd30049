import { type ReactNode, useState } from 'react'
import { TextField } from '#components/form/text-field.tsx'
import { guardForm } from '#components/frame/guard-form.ts'
import { Modal } from '#components/frame/modal.tsx'
import { Button } from '#components/ui/button.tsx'
import { DialogFooter } from '#components/ui/dialog.tsx'
import { KeyRound, Loader, TriangleAlert, Users } from '#components/ui/icons.tsx'
import { SubmitHint } from '#components/ui/kbd.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import { type DraftLimit, type DraftView, isProven, type DraftApproval as Needed } from '#lib/commands/command.ts'
import { limitSentence, NEVER_FITS } from '#lib/commands/policy/rule-words.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { problemWords } from '#lib/service/problem-words.ts'
import { shownAmount } from '#lib/values/amount-text.ts'
import { noteFault, visibleText } from '#lib/values/text.ts'
import type { Command } from './command-state.ts'
import { Lines } from './lines.tsx'
import { SignInAgain, SlowSend } from './no-outcome.tsx'

interface ConfirmDialogProps {
  command: Command
  draft: DraftView
  sending: boolean
  problem?: Problem | null
  danger: boolean
  also: AlsoConfirm | undefined
  /** Shown above the lines. */
  children?: ReactNode
}

/** Of the effect's digest. */
const SHOWN_CHARS = 12

/** A second button that confirms and then does more. `onChoose` gets whether it was pressed. */
export interface AlsoConfirm {
  readonly words: string
  readonly onChoose: (chosen: boolean) => void
}

function buttonWords({ button }: DraftView, approval: DraftView['approval']): string {
  if (approval === null) return button
  return approval.amount === null ? 'Ask for approval' : `Ask for approval of ${shownAmount(approval.amount)} BZD`
}

function descriptionOf({ approvedBy }: DraftView, approval: DraftView['approval']): string {
  if (approval !== null) return 'This is what will be sent once approved.'
  if (approvedBy === undefined) return 'Check every line before you confirm.'
  return `Approved by ${approvedBy.map(visibleText).join(' and ')}. Check every line before you confirm.`
}

function useReason(initial: string) {
  const [text, setText] = useState(initial)
  const [fault, setFault] = useState<string | null>(null)
  const isGiven = () => {
    const wrong = noteFault(text, 'Enter a reason. The approver sees it.')
    setFault(wrong)
    return wrong === null
  }
  return { text: text.trim(), fault, setText, isGiven }
}

/** What the operator confirms here is exactly what is sent. */
export function ConfirmDialog({ command, draft, sending, problem = null, danger, also, children }: ConfirmDialogProps) {
  const [typed, setTyped] = useState('')
  const reason = useReason(draft.approval?.reason ?? '')
  const { proof, warning } = draft
  const denied = draft.limits.some(({ beyond }) => beyond !== null && !beyond.approvable)
  // A denied change cannot be approved either.
  const approval = denied ? null : draft.approval
  const proven = !denied && (proof === null || isProven(proof, typed))
  const confirm = (more: boolean) => {
    if (!proven || sending) return
    if (approval !== null) {
      if (reason.isGiven()) command.ask(reason.text, typed)
      return
    }
    also?.onChoose(more)
    command.confirm(typed)
  }
  return (
    <Modal title={draft.title} description={descriptionOf(draft, approval)} onClose={command.cancel}>
      <form
        ref={approval === null ? null : guardForm}
        className="flex min-h-0 flex-col"
        onSubmit={(event) => {
          event.preventDefault()
          confirm(false)
        }}
      >
        <div className="min-h-0 overflow-y-auto">
          {children}
          <div className="px-1">
            <Lines lines={draft.lines} />
          </div>
          <DraftLimits limits={draft.limits} />
          {approval === null ? null : (
            <DraftApproval approval={approval} fault={reason.fault} onReason={reason.setText} />
          )}
          {warning === null ? null : (
            <p className="flex gap-2 border-t bg-attention-wash px-4.5 py-3 text-sm">
              <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-attention" />
              {warning}
            </p>
          )}
          {draft.passkey ? (
            <p className="flex gap-2 border-t px-4.5 py-3 text-secondary-foreground text-sm">
              <KeyRound aria-hidden className="mt-0.5 size-4 shrink-0" />
              {approval === null ? 'You confirm this with your passkey.' : 'You send this with your passkey.'}
            </p>
          ) : null}
          <p className="border-t px-4.5 py-3 text-secondary-foreground text-sm">{draft.consequence}</p>
          {/* Not copyable: that would add a tab stop before the button. */}
          <p className="px-4.5 pb-3 text-muted-foreground text-xs" title={draft.effect}>
            Fingerprint <span className="mono">{draft.effect.slice(0, SHOWN_CHARS)}…</span>
          </p>
          {proof === null ? null : (
            <div className="border-t px-4.5 pt-3">
              <TextField label={proof.label} name="proof" mono isReference onText={setTyped} />
            </div>
          )}
        </div>
        {problem === null ? null : <NotAsked problem={problem} />}
        <DialogFooter>
          {/* At the left, away from the button that opened the dialog. */}
          <Button
            type="submit"
            variant={danger && approval === null ? 'destructive' : 'default'}
            aria-disabled={sending || !proven}
          >
            {sending ? <Loader aria-hidden className="animate-spin" /> : null}
            <span>{sending ? 'Sending' : buttonWords(draft, approval)}</span>
            <SubmitHint />
          </Button>
          {also === undefined || approval !== null ? null : (
            <Button
              variant={danger ? 'destructive' : 'outline'}
              onClick={() => confirm(true)}
              aria-disabled={sending || !proven}
            >
              {also.words}
            </Button>
          )}
          <Button variant="ghost" onClick={command.cancel} aria-disabled={sending}>
            Cancel
          </Button>
          {command.inFlight === null ? null : <SlowSend {...command.inFlight} />}
        </DialogFooter>
      </form>
    </Modal>
  )
}

const NotAsked = ({ problem }: { problem: Problem }) => (
  <div className="border-t px-4.5 py-3">
    {problem.kind === 'session-over' ? (
      <SignInAgain />
    ) : (
      <p role="alert" className="text-attention text-sm">
        Not requested: {problemWords(problem).title.replace(/\.$/, '')}. {problemWords(problem).advice}
      </p>
    )}
  </div>
)

interface DraftApprovalProps {
  approval: Needed
  fault: string | null
  onReason: (reason: string) => void
}

const DraftApproval = ({ approval, fault, onReason }: DraftApprovalProps) => (
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
    {approval.shortage === null ? null : (
      <p className="mt-2 flex gap-2 text-sm">
        <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-attention" />
        {approval.shortage} You can ask all the same.
      </p>
    )}
    <TextField
      className="mt-2"
      label="Reason for approval"
      name="reason"
      fault={fault}
      initial={approval.reason ?? ''}
      onText={onReason}
      help={`The approver sees this. Send it within ${approval.hours} ${approval.hours === 1 ? 'hour' : 'hours'} from now, once approved.`}
    />
  </div>
)

const DraftLimits = ({ limits }: { limits: readonly DraftLimit[] }) =>
  limits.map((limit) => (
    <p
      key={limitSentence(limit)}
      className={`border-t px-4.5 py-3 text-sm ${limit.beyond !== null ? 'flex gap-2 bg-attention-wash' : 'text-secondary-foreground'}`}
    >
      {limit.beyond !== null ? <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-attention" /> : null}
      <span>
        {limit.beyond !== null ? 'Over your limit. ' : null}
        {limitSentence(limit)}
        {limit.beyond !== null ? <Room {...limit.beyond} /> : null}
      </span>
    </p>
  ))

const Room = ({ fitsAt }: { fitsAt: string | null }) =>
  fitsAt === null ? (
    ` ${NEVER_FITS}`
  ) : (
    <>
      {' '}
      You can send this from <Timestamp value={fitsAt} />.
    </>
  )
