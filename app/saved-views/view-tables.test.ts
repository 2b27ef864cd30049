import { expect, test } from 'vitest'
import type { Column } from '#components/table/columns.ts'
import { type ViewedTable, viewedTables } from '#lib/authorization/table.ts'
import { caseLists } from '#lib/disputes/queue/queue.ts'
import { activityColumns } from '../(console)/activity/activity-table.tsx'
import { registerColumns } from '../(console)/cards/register-table.tsx'
import { confirmedColumns } from '../(console)/deposits/confirmed-table.tsx'
import { lineColumns } from '../(console)/deposits/statements/[id]/line-columns.tsx'
import { queueColumns } from '../(console)/disputes/queue-columns.tsx'
import { sessionColumns } from '../(console)/security/sessions/sessions-table.tsx'
import { terminalColumns } from '../(console)/terminals/merchant-terminals.tsx'
import { historyColumns } from '../(console)/users/[id]/history-table.tsx'
import { viewTables } from './view-tables.ts'

type AnyColumn = Pick<Column<never>, 'id' | 'always' | 'compare' | 'matches' | 'ordered'>

const columnsOf: Readonly<Record<ViewedTable, readonly AnyColumn[]>> = {
  'account-history': historyColumns('ana', []),
  changes: activityColumns,
  'confirmed-deposits': confirmedColumns,
  'dispute-queue': caseLists.flatMap((list) => queueColumns(list, { withLast: true, categorized: true })),
  'issued-cards': registerColumns,
  'merchant-terminals': terminalColumns,
  'signed-in': sessionColumns({ sso: 'SSO', onEnd: null }),
  'statement-lines': lineColumns({} as Parameters<typeof lineColumns>[0]),
}

const sorted = (ids: readonly string[]) => [...new Set(ids)].sort()

test.each(viewedTables)('what a view of %s can set is what the table has', (name) => {
  const { columns, sortable, filters } = viewTables[name]
  const all = columnsOf[name]
  expect(sorted(columns)).toEqual(sorted(all.filter(({ always }) => always !== true).map(({ id }) => id)))
  // What comes page by page from the service is sorted by nothing.
  const compared = all.filter(({ compare, ordered }) => compare !== undefined || ordered === true).map(({ id }) => id)
  expect(sorted(sortable)).toEqual(sorted(compared))
  for (const { id, matches } of all) if (matches !== undefined) expect(Object.keys(filters)).toContain(id)
})
