import { type ApprovalViewName, approvalViews, type RequestStatus, requestStatuses } from '#lib/commands/command.ts'
import { commandKinds } from '#lib/kind-names.ts'
import { filterReader, personIn, withParameters } from '#lib/values/address-filter.ts'
import type { Meaning } from '#lib/values/words.ts'
import type { ActivityFilter } from './activity-filter.ts'

/** As {@link ActivityFilter}. The person is the author or someone who decided; the days are those of the request. */
export interface ApprovalFilter extends Pick<ActivityFilter, 'person' | 'kind' | 'from' | 'to' | 'zone'> {
  readonly view: ApprovalViewName
  readonly outcome: RequestStatus | ''
}

const VIEW = 'view'

/** Fragment of the address of a request: the button that approves gets the focus. */
export const APPROVE_FRAGMENT = 'approve'

export const viewWords: Readonly<Record<ApprovalViewName, string>> = {
  waiting: 'Waiting for me',
  requested: 'Requested by me',
  decided: 'Decided',
}

export const statusWords: Readonly<Record<RequestStatus, { readonly word: string; readonly meaning: Meaning }>> = {
  waiting: { word: 'Waiting', meaning: 'working' },
  approved: { word: 'Approved, not sent', meaning: 'attention' },
  sent: { word: 'Approved and sent', meaning: 'good' },
  declined: { word: 'Declined', meaning: 'attention' },
  expired: { word: 'Expired', meaning: 'attention' },
  cancelled: { word: 'Cancelled by its author', meaning: 'neutral' },
  ended: { word: 'Ended, not sent', meaning: 'attention' },
}

const filterNames = ['person', 'kind', 'outcome', 'from', 'to', 'zone'] as const

export const allOf = (view: ApprovalViewName): ApprovalFilter => ({
  ...{ view, person: '', kind: '', outcome: '', from: '', to: '', zone: '' },
})

export function readApprovalFilter(query: URLSearchParams) {
  const { faults, take, takeDays } = filterReader(query)
  const isOneOf = (known: readonly string[]) => (text: string) => known.includes(text)
  const view = take(VIEW, isOneOf(approvalViews), 'is not a list of approvals, so “Waiting for me” is shown.')
  const filter: ApprovalFilter = {
    ...takeDays(),
    view: view === '' ? 'waiting' : (view as ApprovalViewName),
    person: personIn(take('person', () => true, 'is not a name.')),
    kind: take('kind', isOneOf(commandKinds), 'is not a kind of change, so all are shown.'),
    outcome: take('outcome', isOneOf(requestStatuses), 'is not an outcome, so all are shown.') as RequestStatus | '',
  }
  // All that waits has one outcome.
  return { filter: filter.view === 'waiting' ? { ...filter, outcome: '' as const } : filter, faults }
}

export const isFiltered = (filter: ApprovalFilter): boolean => filterNames.some((name) => filter[name] !== '')

export const withApprovalFilter = (query: URLSearchParams, filter: ApprovalFilter): URLSearchParams =>
  withParameters(query, [VIEW, ...filterNames], filter.view === 'waiting' ? { ...filter, view: '' } : filter, ['page'])

export const approvalQuery = (filter: ApprovalFilter): URLSearchParams =>
  withApprovalFilter(new URLSearchParams(), filter)
