import { type FormEvent, useState } from 'react'
import { fieldReference, fieldText } from '#components/form/field-text.ts'
import { TextField } from '#components/form/text-field.tsx'
import { Panel } from '#components/frame/panel.tsx'
import { Button } from '#components/ui/button.tsx'
import { CardFooter } from '#components/ui/card.tsx'
import { useHydrated } from '#components/ui/use-hydrated.ts'
import { labelFault, terminalUidFault } from '#lib/terminals/terminal.ts'

interface Params {
  readonly terminalUid: string
  readonly label: string
}

interface RegisterTerminalFormProps {
  missingScope: string | null
  /** The server's faults, by field name. */
  faults: Readonly<Record<string, string>>
  checking: boolean
  /** Why this UID cannot be registered now; null when it can. */
  openReasonOf: (uid: string) => string | null
  onRegister: (terminal: Params) => void
}

type Faults = Readonly<Record<keyof Params, string | null>>

const faultsOf = ({ terminalUid, label }: Params): Faults => ({
  terminalUid: terminalUidFault(terminalUid),
  label: labelFault(label),
})

export function RegisterTerminalForm(props: RegisterTerminalFormProps) {
  const { missingScope, faults, checking, openReasonOf, onRegister } = props
  const hydrated = useHydrated()
  const [own, setOwn] = useState<Faults>({ terminalUid: null, label: null })
  const [uid, setUid] = useState('')
  const openReason = openReasonOf(uid.trim())
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const params = { terminalUid: fieldReference(form, 'terminalUid'), label: fieldText(form, 'label') }
    const found = faultsOf(params)
    setOwn(found)
    const blocked = missingScope !== null || openReason !== null
    if (!blocked && found.terminalUid === null && found.label === null) onRegister(params)
  }
  return (
    <Panel title="Register a terminal">
      <form onSubmit={submit}>
        <div className="grid gap-y-1.5 px-3.5 pt-3.5 pb-1.5">
          <TextField
            label="UID"
            name="terminalUid"
            mono
            isReference
            onText={setUid}
            fault={own.terminalUid ?? faults.terminalUid ?? null}
            help="The reader’s hardware identity, unique across the platform."
          />
          <TextField
            label="Label"
            name="label"
            dir="auto"
            fault={own.label ?? faults.label ?? null}
            help="Where it stands, for example counter-2. May be left out."
          />
        </div>
        <CardFooter>
          {missingScope === null && openReason === null ? null : (
            <p className="min-w-48 flex-1 text-muted-foreground text-xs">
              {missingScope === null
                ? openReason
                : `You may look, but not register: it needs the scope ${missingScope}.`}
            </p>
          )}
          <Button
            type="submit"
            disabled={!hydrated || checking || missingScope !== null || openReason !== null}
            className="max-w-full"
          >
            <span className="truncate">
              {checking ? 'Sending' : `Register ${uid.trim() === '' ? 'a terminal' : uid}`}
            </span>
          </Button>
          {faults.merchantId === undefined ? null : (
            <p role="alert" className="w-full text-danger text-sm">
              {faults.merchantId}
            </p>
          )}
        </CardFooter>
      </form>
    </Panel>
  )
}
