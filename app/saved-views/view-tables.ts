import { activityKinds, ME, outcomeWords } from '#lib/activity/activity-filter.ts'
import type { ViewedTable } from '#lib/authorization/table.ts'
import { ages, caseLists, claimFilters } from '#lib/disputes/queue/queue.ts'
import { sessionOrders } from '#lib/session/sessions-of-others.ts'
import { lineStatuses } from '#lib/statements/statement-view.ts'
import { userIdFault } from '#lib/values/ids.ts'
import { isDay, isZone } from '#lib/values/time.ts'

export interface ViewTable {
  /** Filter parameters and their validators. Free-text filters are not saved in views. */
  readonly filters: Readonly<Record<string, (wanted: string) => boolean>>
  readonly sortable: readonly string[]
  readonly columns: readonly string[]
}

const oneOf =
  (known: readonly string[]) =>
  (wanted: string): boolean =>
    known.includes(wanted)

/** A state or type of the service, which may add new ones. */
const isWord = (wanted: string): boolean => /^[\w-]{1,40}$/.test(wanted)

const days = { from: isDay, to: isDay, zone: isZone }

/** `view-tables.test.ts` compares this with the tables. */
export const viewTables: Readonly<Record<ViewedTable, ViewTable>> = {
  'account-history': {
    filters: { state: isWord, type: isWord, ...days },
    sortable: [],
    columns: ['time', 'type', 'state', 'other', 'debit', 'credit', 'fee', 'note', 'act'],
  },
  changes: {
    filters: { person: oneOf([ME]), kind: oneOf(activityKinds), outcome: oneOf(Object.keys(outcomeWords)), ...days },
    sortable: [],
    columns: ['time', 'by', 'about', 'amount', 'outcome'],
  },
  'confirmed-deposits': {
    filters: {},
    sortable: [],
    columns: ['amount', 'state', 'hold', 'by', 'time', 'holder', 'bank-reference', 'act'],
  },
  'dispute-queue': {
    filters: {
      status: (wanted) => caseLists.some((list) => list === wanted.toUpperCase()),
      age: oneOf(ages.map(({ id }) => id)),
      claim: oneOf(claimFilters),
      party: (wanted) => userIdFault(wanted) === null,
    },
    sortable: ['status', 'outcome', 'age', 'resolved'],
    columns: ['status', 'outcome', 'age', 'turn', 'resolved', 'amount', 'state', 'party', 'against', 'claim'],
  },
  'issued-cards': {
    filters: {},
    sortable: [],
    columns: ['last-four', 'holder', 'name', 'type', 'issued', 'by', 'came', 'blocked', 'act'],
  },
  'merchant-terminals': {
    filters: {},
    sortable: ['uid', 'label', 'state', 'registered', 'updated'],
    columns: ['label', 'state', 'registered', 'updated', 'act'],
  },
  'signed-in': {
    filters: {},
    sortable: sessionOrders,
    columns: ['user-id', 'started', 'active', 'browser', 'address', 'method', 'act'],
  },
  'statement-lines': {
    filters: { show: oneOf(lineStatuses) },
    sortable: [],
    columns: ['amount', 'found', 'agrees', 'state', 'result', 'bank-reference', 'booked', 'act'],
  },
}

export const isViewedTable = (name: string): name is ViewedTable => Object.hasOwn(viewTables, name)
