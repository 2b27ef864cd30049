import {
  type Addressable,
  type ReadTableState,
  readTableState,
  type TableState,
} from '#components/table/table-state.ts'
import {
  ages,
  type CaseList,
  caseLists,
  claimFilters,
  isActor,
  notices,
  type QueueFilter,
  type QueueSort,
  turnFilters,
} from '#lib/disputes/queue/queue.ts'
import { isPlainAmount } from '#lib/values/amount-text.ts'
import { isUuid, userIdFault } from '#lib/values/ids.ts'
import { cleanReference, visibleText } from '#lib/values/text.ts'
import { ownProperty } from '#lib/values/words.ts'

const QUOTED_CHARS = 40
/** The list holds only the beginning of a reason, so a longer text cannot match. */
export const TEXT_CHARS = 100

export const sortsOf: Readonly<Record<CaseList, readonly QueueSort[]>> = {
  OPEN: ['age', 'last', 'amount'],
  RESOLVED: ['resolved', 'outcome', 'age', 'amount'],
  ALL: ['status', 'age', 'last', 'amount'],
}

/** An invalid value is reported and not applied. */
export const filterRules: Readonly<Record<string, (value: string) => boolean>> = {
  age: (value) => ages.some(({ id }) => id === value),
  claim: (value) => claimFilters.some((known) => known === value),
  assignee: isActor,
  category: isUuid,
  turn: (value) => turnFilters.some((known) => known === value),
  unread: (value) => value === 'yes',
  notice: (value) => notices.some((known) => known === value),
  party: (value) => userIdFault(value) === null,
  text: (value) => value.length <= TEXT_CHARS,
  amountFrom: isPlainAmount,
  amountTo: isPlainAmount,
}

const filterable = Object.keys(filterRules)

/** Falls back to open cases when the address names no known list. */
export const listIn = (query: URLSearchParams): CaseList =>
  caseLists.find((known) => known === query.get('status')?.toUpperCase()) ?? 'OPEN'

export const addressableOf = (list: CaseList): Addressable => ({ sortable: sortsOf[list], filterable })

export function validTableState(query: URLSearchParams, { state, faults }: ReadTableState): ReadTableState {
  const wanted = Object.entries(state.filters).map(
    ([name, value]) => [name, name === 'party' ? cleanReference(value) : value] as const,
  )
  const isValid = ([name, value]: readonly [string, string]) => ownProperty(filterRules, name)?.(value) === true
  const status = query.get('status')
  const unknownStatus =
    status === null || caseLists.some((list) => list === status.toUpperCase()) ? [] : [['status', status] as const]
  const unknown = [...unknownStatus, ...wanted.filter((one) => !isValid(one))].map(
    ([name, value]) => `Unknown ${name} in the address: “${visibleText(value.slice(0, QUOTED_CHARS))}”.`,
  )
  return {
    state: { ...state, filters: Object.fromEntries(wanted.filter(isValid)) },
    faults: [...faults, ...unknown],
  }
}

export const queueQuery = (query: URLSearchParams): string =>
  onlyNamed(query, ['status', 'page', 'size', 'sort', ...filterable])

export const filterQuery = (query: URLSearchParams): string => onlyNamed(query, ['status', ...filterable])

const onlyNamed = (query: URLSearchParams, names: readonly string[]): string =>
  new URLSearchParams([...query].filter(([name]) => names.includes(name))).toString()

export function readQueueAddress(query: URLSearchParams): { readonly filter: QueueFilter; readonly state: TableState } {
  const list = listIn(query)
  const { state } = validTableState(query, readTableState(query, addressableOf(list)))
  const { age, claim, assignee, category, turn, unread, notice, party, text, amountFrom, amountTo } = state.filters
  const column = sortsOf[list].find((known) => known === state.sort?.column)
  const sort = column === undefined || state.sort === null ? null : { column, descending: state.sort.descending }
  return {
    state,
    filter: {
      list,
      sort,
      age: ages.find(({ id }) => id === age)?.id ?? null,
      claim: claimFilters.find((known) => known === claim) ?? null,
      assignee: assignee ?? null,
      category: list === 'OPEN' ? null : (category?.toLowerCase() ?? null),
      turn: turnFilters.find((known) => known === turn) ?? null,
      unread: unread !== undefined,
      notice: notices.find((known) => known === notice) ?? null,
      party: party ?? null,
      text: text ?? null,
      amountFrom: amountFrom ?? null,
      amountTo: amountTo ?? null,
    },
  }
}
