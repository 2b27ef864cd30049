'use client'

import { type FormEvent, useEffect, useEffectEvent, useState } from 'react'
import { CommandDialogs } from '#components/command/command-dialogs.tsx'
import { CommandOutcome } from '#components/command/command-outcome.tsx'
import { blockingReason, type Command } from '#components/command/command-state.ts'
import { EarlierChange } from '#components/command/no-outcome.tsx'
import { useCommand } from '#components/command/use-command.ts'
import { fieldReference, fieldText, TextField } from '#components/form/text-field.tsx'
import { guardForm } from '#components/frame/guard-form.ts'
import { EmptyRows, Panel, TwoColumns } from '#components/frame/panel.tsx'
import { useAutomaticRefresh } from '#components/service/session-events.ts'
import type { Column } from '#components/table/columns.ts'
import { DataTable } from '#components/table/data-table.tsx'
import { RowLink, useTableAddress } from '#components/table/table-address.tsx'
import { byId, type Reading, useCompleteTable } from '#components/table/use-table.ts'
import { SubmitButton } from '#components/ui/button.tsx'
import { CardFooter } from '#components/ui/card.tsx'
import { FormError } from '#components/ui/field.tsx'
import { CutText } from '#components/values/facts.tsx'
import { IdMark } from '#components/values/id-mark.tsx'
import { Reference } from '#components/values/reference.tsx'
import { StateBadge } from '#components/values/state-badge.tsx'
import { ListTime } from '#components/values/timestamp.tsx'
import type { CommandView } from '#lib/commands/command.ts'
import type { Terminal } from '#lib/contract/terminals.ts'
import { labelFault, registerTitle, terminalUidFault } from '#lib/terminals/terminal.ts'

interface MerchantTerminalsProps {
  merchantId: string
  reading: Reading<Terminal>
  missingScope: string | null
  /** The latest registration for this merchant, if it is open or recent. */
  latest: CommandView | null
}

export function MerchantTerminals({ merchantId, reading, missingScope, latest }: MerchantTerminalsProps) {
  const command = useCommand(latest, useAutomaticRefresh())
  const { state } = command
  const done = state.step === 'outcome' && state.command.outcome.class === 'done' ? state.command : null
  const [uid, setUid] = useState('')
  /** A new key empties the form. */
  const [round, setRound] = useState(0)
  const empty = useEffectEvent(() => {
    // The next terminal may have been typed while this one was checked.
    if (done?.title !== registerTitle(merchantId, uid.trim())) return
    setUid('')
    setRound(round + 1)
  })
  const doneId = done?.id
  useEffect(() => {
    if (doneId !== undefined) empty()
  }, [doneId])
  const notThere = reading.kind === 'problem' && reading.problem.status === 404
  return (
    <TwoColumns>
      <TerminalsTable merchantId={merchantId} reading={reading} />
      <div className="grid gap-4">
        {notThere ? null : (
          <RegisterTerminalForm key={round} {...{ merchantId, missingScope, command, uid }} onUid={setUid} />
        )}
        <CommandOutcome command={command} />
      </div>
      <CommandDialogs command={command} />
    </TwoColumns>
  )
}

export const TerminalsOutline = ({ merchantId }: { merchantId: string }) => (
  <TwoColumns>
    <TerminalsTable merchantId={merchantId} reading={{ kind: 'loading' }} />
  </TwoColumns>
)

/** All rows are loaded, in the service's order by default; sorting happens in the browser. */
function TerminalsTable({ merchantId, reading }: { merchantId: string; reading: Reading<Terminal> }) {
  const address = useTableAddress('at hand', addressable)
  const kit = useCompleteTable({ name: 'merchant-terminals', columns: terminalColumns, reading, address, rowId: byId })
  return (
    <DataTable
      kit={kit}
      title={
        <>
          Terminals of{' '}
          <span className="inline-block">
            <IdMark id={merchantId} />
          </span>{' '}
          <bdi className="mono break-all">{merchantId}</bdi>
        </>
      }
      label={`Terminals of ${merchantId}`}
      arrival={reading.kind !== 'loading'}
      empty={<EmptyRows title="No terminals yet">Register the merchant’s first reader.</EmptyRows>}
    />
  )
}

const byText = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true })

export const terminalColumns: readonly Column<Terminal>[] = [
  {
    id: 'uid',
    head: 'UID',
    always: true,
    compare: (a, b) => byText(a.terminalUid, b.terminalUid),
    cell: ({ id, terminalUid }) => (
      <Reference value={terminalUid} name="UID" href={`/terminals/${encodeURIComponent(id)}`} />
    ),
  },
  {
    id: 'label',
    head: 'Label',
    compare: (a, b) => byText(a.label, b.label),
    cell: ({ label }) => <CutText text={label === '' ? '–' : label} className="max-w-[24ch]" />,
  },
  {
    id: 'state',
    head: 'State',
    compare: (a, b) => byText(a.status, b.status),
    cell: ({ status }) => <StateBadge state={status} of="terminal" />,
  },
  {
    id: 'registered',
    head: 'Registered',
    compare: (a, b) => byText(a.registeredAt, b.registeredAt),
    cell: ({ registeredAt }) => <ListTime value={registeredAt} />,
  },
  {
    id: 'updated',
    head: 'Updated',
    compare: (a, b) => byText(a.updatedAt, b.updatedAt),
    cell: ({ updatedAt }) => <ListTime value={updatedAt} />,
  },
  {
    id: 'act',
    head: 'Disable',
    quietHead: true,
    align: 'right',
    cell: ({ id, status }) =>
      status === 'ACTIVE' ? <RowLink href={`/terminals/${encodeURIComponent(id)}`}>Disable</RowLink> : null,
  },
]

const addressable = {
  sortable: terminalColumns.flatMap(({ id, compare }) => (compare === undefined ? [] : [id])),
  filterable: [],
}

interface RegisterTerminalFormProps extends Pick<MerchantTerminalsProps, 'merchantId' | 'missingScope'> {
  command: Command
  uid: string
  onUid: (uid: string) => void
}

const whyNotNow = (command: Command, merchantId: string, uid: string): string | null =>
  command.state.step === 'outcome' && command.state.command.title === registerTitle(merchantId, uid)
    ? blockingReason(command)
    : null

function RegisterTerminalForm({ merchantId, missingScope, command, uid, onUid }: RegisterTerminalFormProps) {
  const [own, setOwn] = useState<Readonly<Partial<Record<'terminalUid' | 'label', string | null>>>>({})
  const { faults } = command
  const checking = command.state.step === 'checking'
  const whyNot = whyNotNow(command, merchantId, uid.trim())
  const blocked = missingScope !== null || whyNot !== null
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const params = { terminalUid: fieldReference(form, 'terminalUid'), label: fieldText(form, 'label') }
    const found = { terminalUid: terminalUidFault(params.terminalUid), label: labelFault(params.label) }
    setOwn(found)
    if (blocked || found.terminalUid !== null || found.label !== null) return
    command.prepare('terminal.register', { merchantId, ...params })
  }
  return (
    <Panel title="Register a terminal">
      <form ref={guardForm} data-taken={command.state.step === 'outcome'} onSubmit={submit}>
        <div className="grid gap-y-1.5 px-3.5 pt-3.5 pb-1.5">
          <TextField
            label="UID"
            name="terminalUid"
            mono
            isReference
            onText={onUid}
            fault={own.terminalUid ?? faults.terminalUid ?? null}
            help="The reader’s hardware id, unique across the platform."
          />
          <TextField
            label="Label"
            name="label"
            dir="auto"
            fault={own.label ?? faults.label ?? null}
            help="Optional. The location, for example counter-2."
          />
        </div>
        <CardFooter>
          {blocked ? (
            <p className="min-w-48 flex-1 text-muted-foreground text-xs">
              {missingScope === null ? whyNot : `Read-only: registering needs the scope ${missingScope}.`}
            </p>
          ) : null}
          <SubmitButton disabled={blocked} aria-disabled={checking} className="max-w-full">
            <span className="truncate">
              {checking ? 'Sending' : `Register ${uid.trim() === '' ? 'a terminal' : uid}`}
            </span>
          </SubmitButton>
          <FormError fault={faults.merchantId} className="w-full" />
          <EarlierChange id={command.heldBy} />
        </CardFooter>
      </form>
    </Panel>
  )
}
