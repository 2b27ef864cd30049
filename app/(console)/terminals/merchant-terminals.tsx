'use client'

import { useRouter } from 'next/navigation'
import { CommandDialogs } from '#components/command/command-dialogs.tsx'
import { CommandOutcome } from '#components/command/command-outcome.tsx'
import { openReason } from '#components/command/open-reason.ts'
import { useCommand } from '#components/command/use-command.ts'
import { TwoColumns } from '#components/frame/two-columns.tsx'
import type { Column } from '#components/table/columns.ts'
import { DataTable } from '#components/table/data-table.tsx'
import { RowLink } from '#components/table/row-link.tsx'
import { type Reading, useCompleteTable } from '#components/table/use-table.ts'
import { useTableAddress } from '#components/table/use-table-address.ts'
import { IdMark } from '#components/values/id-mark.tsx'
import { Reference } from '#components/values/reference.tsx'
import { StateBadge } from '#components/values/state-badge.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import type { CommandView } from '#lib/commands/command.ts'
import type { Terminal } from '#lib/contract/terminals.ts'
import { registerTitle } from '#lib/terminals/terminal.ts'
import { visibleText } from '#lib/values/visible-text.ts'
import { RegisterTerminalForm } from './register-terminal-form.tsx'

interface MerchantTerminalsProps {
  merchantId: string
  reading: Reading<Terminal>
  missingScope: string | null
  /** The latest registration for this merchant, if it is open or recent. */
  latest: CommandView | null
}

export function MerchantTerminals({ merchantId, reading, missingScope, latest }: MerchantTerminalsProps) {
  const router = useRouter()
  const command = useCommand(latest, () => router.refresh())
  const { state } = command
  // A new key after a registration empties the form.
  const registered = state.step === 'outcome' && state.command.outcome.class === 'done' ? state.command.id : ''
  const notThere = reading.kind === 'problem' && reading.problem.status === 404
  return (
    <TwoColumns>
      <TerminalsTable merchantId={merchantId} reading={reading} />
      <div className="grid gap-4">
        {notThere ? null : (
          <RegisterTerminalForm
            key={registered}
            missingScope={missingScope}
            faults={command.faults}
            checking={state.step === 'checking'}
            openReasonOf={(uid) =>
              state.step === 'outcome' && state.command.title === registerTitle(merchantId, uid)
                ? openReason(command)
                : null
            }
            onRegister={(terminal) => command.prepare('terminal.register', { merchantId, ...terminal })}
          />
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

const NAME = 'merchant-terminals'

interface TerminalsTableProps {
  merchantId: string
  reading: Reading<Terminal>
}

/** All rows are loaded, in the service's order by default; sorting happens in the browser. */
function TerminalsTable({ merchantId, reading }: TerminalsTableProps) {
  const address = useTableAddress('at hand', addressable)
  const kit = useCompleteTable({ name: NAME, columns: terminalColumns, reading, address })
  return (
    <DataTable
      name={NAME}
      kit={kit}
      address={address}
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
      empty={
        <>
          <p className="font-semibold text-foreground">No terminals yet</p>
          <p>Register the merchant’s first reader beside this list.</p>
        </>
      }
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
    cell: ({ label }) => (
      <bdi className="inline-block max-w-[24ch] truncate align-middle">{label === '' ? '–' : visibleText(label)}</bdi>
    ),
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
    cell: ({ registeredAt }) => <Timestamp value={registeredAt} as="past" />,
  },
  {
    id: 'updated',
    head: 'Updated',
    compare: (a, b) => byText(a.updatedAt, b.updatedAt),
    cell: ({ updatedAt }) => <Timestamp value={updatedAt} as="past" />,
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
