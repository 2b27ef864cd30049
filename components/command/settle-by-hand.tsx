import { type FormEvent, type ReactNode, useState } from 'react'
import { fieldText, TextField } from '#components/form/text-field.tsx'
import { guardForm } from '#components/frame/guard-form.ts'
import { SubmitButton } from '#components/ui/button.tsx'
import { FormErrors } from '#components/ui/field.tsx'
import type { CommandView, Room } from '#lib/commands/command.ts'
import type { CommandKindName } from '#lib/kind-names.ts'
import { noteFault } from '#lib/values/text.ts'
import type { UnseenAct } from './command-client.ts'
import { CommandDialogs } from './command-dialogs.tsx'
import type { Command } from './command-state.ts'
import { RoomNotes } from './lines.tsx'
import { EarlierChange } from './no-outcome.tsx'
import { useCommand } from './use-command.ts'

interface SettleByHandProps {
  command: CommandView
  onSettle: (happened: boolean, why: string) => void
  /** Shows the outcome of a recording that is itself a change. */
  outcomeOf: (recording: Command) => ReactNode
}

/** For a change that the service cannot show. With policy rules (`settleAs`), recording it is itself a change. */
export const SettleByHand = ({ command: { id, settleAs, settleRoom = [] }, onSettle, outcomeOf }: SettleByHandProps) =>
  settleAs === null ? (
    <VerdictForm onSettle={onSettle} />
  ) : (
    <AsChange id={id} kind={settleAs} room={settleRoom} outcomeOf={outcomeOf} />
  )

interface AsChangeProps extends Pick<SettleByHandProps, 'outcomeOf'> {
  id: string
  kind: CommandKindName
  room: readonly Room[] | null
}

/** The result arrives as news of the settled change. */
function AsChange({ id, kind, room, outcomeOf }: AsChangeProps) {
  const settling = useCommand(null, () => {})
  return (
    <>
      <p className="border-t px-3.5 py-2.5 text-secondary-foreground text-sm empty:hidden">
        <RoomNotes room={room} />
      </p>
      <VerdictForm
        isTaken={settling.state.step === 'outcome'}
        onSettle={(happened, why) => settling.prepare(kind, { id, happened, why })}
      />
      <FormErrors faults={settling.faults} className="px-3.5 pb-3" />
      <div className="px-3.5 [&:not(:empty)]:pb-3.5">
        <EarlierChange id={settling.heldBy} />
        {outcomeOf(settling)}
      </div>
      <CommandDialogs command={settling} danger />
    </>
  )
}

function VerdictForm({ isTaken, onSettle }: Pick<SettleByHandProps, 'onSettle'> & { isTaken?: boolean }) {
  const [fault, setFault] = useState<string | null>(null)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const why = fieldText(event.currentTarget, 'why').trim()
    const wrong = noteFault(why, 'Enter how you know, for example who confirmed it.')
    setFault(wrong)
    if (wrong !== null) return
    const pressed = (event.nativeEvent as SubmitEvent).submitter as HTMLButtonElement | null
    onSettle(pressed?.value === 'happened', why)
  }
  return (
    <form ref={guardForm} data-taken={isTaken} onSubmit={submit} className="grid gap-1 border-t px-3.5 py-3">
      <TextField
        label="How do you know the outcome?"
        name="why"
        fault={fault}
        help="Recorded with your name."
        // Enter would press the first button.
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
          event.preventDefault()
          setFault('Choose “It happened” or “It did not happen”.')
        }}
      />
      <div className="flex flex-wrap gap-2">
        <SubmitButton variant="outline" value="happened">
          It happened
        </SubmitButton>
        <SubmitButton variant="outline" value="not">
          It did not happen
        </SubmitButton>
      </div>
    </form>
  )
}

interface UnseenActsProps {
  command: CommandView
  onAct: (act: UnseenAct, why: string) => void
}

export const UnseenActs = ({ command: { keeps = null, dismissible }, onAct }: UnseenActsProps) => (
  <>
    {keeps === null ? null : (
      <ReasonForm
        label="Reason to free the lock"
        missing="Enter a reason, for example who checked with the bank."
        help="The service is read first. Recorded with your name."
        button="Free the lock"
        variant="destructive"
        onReason={(why) => onAct('free-lock', why)}
      >
        {keeps}: this change may still take effect. If freed and used for another deposit, the money could be credited
        twice.
      </ReasonForm>
    )}
    {dismissible ? (
      <ReasonForm
        label="Reason to dismiss"
        missing="Enter a reason, for example what you checked."
        help="Recorded with your name."
        button="Dismiss"
        variant="outline"
        onReason={(why) => onAct('dismiss', why)}
      >
        {keeps === null
          ? 'It needs attention until it is done again or dismissed.'
          : 'It needs attention until it is done again, freed or dismissed. Dismissing keeps the lock.'}
      </ReasonForm>
    ) : null}
  </>
)

interface ReasonFormProps {
  label: string
  missing: string
  help: string
  button: string
  variant: 'destructive' | 'outline'
  onReason: (why: string) => void
  children: ReactNode
}

function ReasonForm({ label, missing, help, button, variant, onReason, children }: ReasonFormProps) {
  const [fault, setFault] = useState<string | null>(null)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const why = fieldText(event.currentTarget, 'why').trim()
    const wrong = noteFault(why, missing)
    setFault(wrong)
    if (wrong === null) onReason(why)
  }
  return (
    <form ref={guardForm} onSubmit={submit} className="grid gap-1 border-t px-3.5 py-3">
      <p className="text-secondary-foreground text-sm">{children}</p>
      <TextField label={label} name="why" fault={fault} help={help} />
      <div>
        <SubmitButton variant={variant}>{button}</SubmitButton>
      </div>
    </form>
  )
}
