import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { CommandDialogs } from '#components/command/command-dialogs.tsx'
import { CommandOutcome } from '#components/command/command-outcome.tsx'
import { Lines } from '#components/command/lines.tsx'
import { useCommand } from '#components/command/use-command.ts'
import { useAutomaticRefresh } from '#components/service/session-events.ts'
import { Alert, AlertDescription } from '#components/ui/alert.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import { type DoneBy, type LineView, placeOfReference } from '#lib/statements/statement-view.ts'
import { shownAmount } from '#lib/values/amount-text.ts'
import { visibleText } from '#lib/values/text.ts'
import { formatCount } from '#lib/values/words.ts'
import { type LineToConfirm, prepareLine } from '../statement-requests.ts'
import { canRefreshAfter, type OpenDialog } from './use-line-acts.ts'

interface ConfirmLineProps {
  id: string
  dialog: OpenDialog
}

/** Confirms one line with manually entered data, after reading both again. An earlier line must not answer for it. */
export const ConfirmLine = (props: ConfirmLineProps) => <Confirming key={props.dialog.line.number} {...props} />

function Confirming({ id, dialog }: ConfirmLineProps) {
  const refresh = useAutomaticRefresh()
  const command = useCommand(null, () => {})
  const [shown, setShown] = useState<LineToConfirm | null>(null)
  const canRefresh = useRef(true)
  const prepare = useEffectEvent((number: number) =>
    command.prepareBy(async () => {
      const prepared = await prepareLine(id, number)
      canRefresh.current = canRefreshAfter(prepared)
      if (!prepared.ok) return { ok: false, fields: { line: prepared.why }, problem: null }
      setShown(prepared.value)
      return { ok: true, draft: prepared.value.draft }
    }),
  )
  // Opening the dialog again prepares a new confirmation.
  useEffect(() => prepare(dialog.line.number), [dialog])
  const { state, faults } = command
  const ended = state.step === 'outcome' ? `${state.command.id} ${state.command.outcome.class}` : (faults.line ?? '')
  useEffect(() => {
    if (ended !== '' && canRefresh.current) refresh()
  }, [ended, refresh])
  return (
    <div className="mb-3 grid gap-3">
      {faults.line === undefined ? null : (
        <Alert role="status" variant="attention">
          <AlertDescription>{faults.line}</AlertDescription>
        </Alert>
      )}
      <CommandOutcome command={command} />
      <CommandDialogs command={command}>{shown === null ? null : <BothTexts shown={shown} />}</CommandDialogs>
    </div>
  )
}

function originWords(line: LineView): string {
  if (line.soughtFrom === 'payer') return 'Accepted from earlier payments of this account'
  const isAccepted = line.soughtFrom === 'text' || line.soughtFrom === 'found'
  return isAccepted ? `Accepted from the ${placeOfReference(line)}` : 'Entered by hand'
}

/** Shows the bank's text beside the entered text, then the transaction to confirm. */
export const BothTexts = ({ shown: { line, facts } }: { shown: LineToConfirm }) => (
  <>
    <div className="grid divide-y border-b text-sm sm:grid-cols-2 sm:divide-x sm:divide-y-0">
      <section className="min-w-0 px-4.5 py-3">
        <h3 className="mb-1.5 font-semibold">Statement line {formatCount(line.number)}</h3>
        <dl className="grid gap-1.5">
          <Text label="The bank received" text={`${shownAmount(line.amount)} ${line.currency}`} />
          <Text label="Reference" text={line.given.reference} mono />
          <Text label="Bank’s reference" text={line.given.bankReference} mono />
          <Text label="Booked" text={line.bookedOn} />
          <Text label="Value date" text={line.valueDate} />
          <Text label="Payer" text={[line.payerName, line.payerAccount].filter((part) => part !== '').join(', ')} />
          <Text label="Free text" text={line.text} />
        </dl>
      </section>
      <section className="min-w-0 px-4.5 py-3">
        <h3 className="mb-1.5 font-semibold">{originWords(line)}</h3>
        <dl className="grid gap-1.5">
          {line.soughtFrom === 'field' ? null : (
            <Text label="Reference" text={line.sought} mono by={line.soughtEntered} />
          )}
          {line.bankFrom === 'hand' ? (
            <Text label="Bank’s reference" text={line.bankReference} mono by={line.bankEntered} />
          ) : null}
        </dl>
        {line.edited === null ? null : (
          <p className="mt-2 break-words text-muted-foreground text-xs">
            Last edited by {visibleText(line.edited.by)}, <Timestamp value={line.edited.at} />
          </p>
        )}
      </section>
    </div>
    <section className="border-b px-1 pt-2 text-sm">
      <h3 className="px-3.5 font-semibold">Transaction at the service now</h3>
      <Lines lines={facts} />
    </section>
  </>
)

interface TextProps {
  label: string
  text: string
  mono?: boolean
  by?: DoneBy | null
}

const Text = ({ label, text, mono = false, by = null }: TextProps) => (
  <div className="min-w-0">
    <dt className="text-muted-foreground text-xs">{label}</dt>
    <dd className={mono ? 'mono break-all' : 'break-words'}>
      {text.trim() === '' ? <span className="text-muted-foreground">none</span> : visibleText(text)}
    </dd>
    {by === null ? null : (
      <dd className="break-words text-muted-foreground text-xs">
        by {visibleText(by.by)}, <Timestamp value={by.at} />
      </dd>
    )}
  </div>
)
