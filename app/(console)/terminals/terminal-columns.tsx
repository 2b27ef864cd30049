import { Reference } from '#components/domain/reference.tsx'
import { StateBadge } from '#components/domain/state-badge.tsx'
import { Timestamp } from '#components/domain/timestamp.tsx'
import type { Column } from '#components/table/columns.ts'
import { RowLink } from '#components/table/row-link.tsx'
import type { Terminal } from '#lib/contract/terminals.ts'
import { visibleText } from '#lib/domain/visible-text.ts'

const byText = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true })

/** The columns of a merchant's terminals. */
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
    cell: ({ registeredAt }) => <Timestamp value={registeredAt} as="relative" />,
  },
  {
    id: 'updated',
    head: 'Updated',
    compare: (a, b) => byText(a.updatedAt, b.updatedAt),
    cell: ({ updatedAt }) => <Timestamp value={updatedAt} as="relative" />,
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
