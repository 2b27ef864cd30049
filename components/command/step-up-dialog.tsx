import { useId } from 'react'
import { Modal } from '#components/frame/modal.tsx'
import { ProblemMarks } from '#components/service/problem-panel.tsx'
import { PausedButton } from '#components/service/retry-button.tsx'
import { Button, buttonVariants } from '#components/ui/button.tsx'
import { DialogFooter } from '#components/ui/dialog.tsx'
import { KeyRound, Loader } from '#components/ui/icons.tsx'
import { LOCK_NOT_KNOWN, lockAheadWords } from '#lib/commands/code.ts'
import type { StepUpOutcome } from '#lib/commands/command.ts'
import { pauseSeconds } from '#lib/service/problem-words.ts'
import { CodeField, useLockSeconds } from './code-field.tsx'
import type { InFlight } from './command-state.ts'
import { SignInAgain, SlowSend } from './no-outcome.tsx'

interface StepUpDialogProps {
  title: string
  stepUp: StepUpOutcome
  sending: boolean
  inFlight?: InFlight | null
  onCode: (code: string | null) => void
  onCancel: () => void
}

export function StepUpDialog({ title, stepUp, sending, inFlight = null, onCode, onCancel }: StepUpDialogProps) {
  const formId = useId()
  const isLocked = useLockSeconds(stepUp) > 0
  const { need, rejected, triesLeft, lockedSeconds, lockAhead = LOCK_NOT_KNOWN, digits, problem } = stepUp
  return (
    <Modal title={stepUp.title} description={title} onClose={() => sending || onCancel()}>
      <div className="grid gap-3 px-4.5 py-4 text-sm">
        {problem?.kind === 'session-over' ? (
          <SignInAgain />
        ) : (
          <p role={rejected ? 'alert' : undefined} className="text-secondary-foreground">
            {stepUp.advice}
          </p>
        )}
        {problem === null ? null : <ProblemMarks problem={problem} />}
        {need === 'code' ? (
          // A new key clears the field after each rejection.
          <CodeField
            key={`${triesLeft} ${lockedSeconds}`}
            fault={rejected ? rejectedWords(triesLeft) : null}
            lock={stepUp}
            // If it is unknown which code causes the lock, warn only before the last try of this dialog.
            warning={lockAhead.isNext === null && triesLeft > 1 ? null : lockAheadWords(lockAhead)}
            digits={digits}
            busy={sending}
            button={null}
            formId={formId}
            onCode={onCode}
          />
        ) : null}
        {inFlight === null ? null : <SlowSend {...inFlight} />}
      </div>
      <DialogFooter className="items-center justify-end">
        <Button
          variant="ghost"
          className="mr-auto"
          onClick={() => sending || onCancel()}
          aria-disabled={sending}
          data-cancel
        >
          Cancel
        </Button>
        {need === 'code' ? (
          <Button type="submit" form={formId} disabled={isLocked} aria-disabled={sending}>
            {sending ? <Loader aria-hidden className="animate-spin" /> : null}
            Send the code
          </Button>
        ) : null}
        {need in setUpWords ? (
          <a href="/security" target="_blank" rel="noreferrer" className={buttonVariants()}>
            {setUpWords[need]}
          </a>
        ) : null}
        {need === 'passkey' ? (
          <Button onClick={() => onCode(null)} aria-disabled={sending} data-first>
            {sending ? <Loader aria-hidden className="animate-spin" /> : <KeyRound aria-hidden />}
            Use your passkey
          </Button>
        ) : null}
        {need === 'code' || need === 'passkey' ? null : (
          <PausedButton seconds={pauseSeconds(problem)} busy={sending} onClick={() => onCode(null)}>
            {sending ? <Loader aria-hidden className="animate-spin" /> : null}
            {need === 'later' ? 'Try again' : 'I have set it up'}
          </PausedButton>
        )}
      </DialogFooter>
    </Modal>
  )
}

const setUpWords: Readonly<Partial<Record<StepUpOutcome['need'], string>>> = {
  enrolment: 'Set up an authenticator in a new tab',
  'passkey-enrolment': 'Add a passkey in a new tab',
}

const rejectedWords = (triesLeft: number): string =>
  `The code was rejected. Wait for the next code: each works once. ${triesLeft === 1 ? 'One try left, then this change ends.' : 'Two tries left.'}`
