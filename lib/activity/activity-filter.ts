import type { CommandView } from '#lib/commands/command.ts'
import type { OutcomeFilter } from '#lib/commands/search.ts'
import { type CommandKindName, commandKinds } from '#lib/kind-names.ts'
import { type AuditKindName, auditKinds } from '#lib/session/audit-kinds.ts'
import { type Days, filterReader, personIn, withParameters } from '#lib/values/address-filter.ts'
import { cleanReference, invisibleWords } from '#lib/values/text.ts'
import { type DecisionKind, decisionKinds, kindWords } from './kind-words.ts'

/** An empty text matches everything. Field names are query parameters. An outcome selects changes only. */
export interface ActivityFilter extends Days {
  /** `me`, or the beginning of a name. */
  readonly person: string
  readonly kind: string
  readonly outcome: OutcomeFilter | ''
  readonly text: string
}

export const ALL_ACTIVITY: ActivityFilter = { person: '', kind: '', outcome: '', from: '', to: '', zone: '', text: '' }

/** Address parameter: the id of the change or entry beside the list. */
export const OPENED = 'open'

const filterNames = ['person', 'kind', 'outcome', 'from', 'to', 'zone', 'text'] as const

export const activityKinds = [...commandKinds, ...auditKinds, ...decisionKinds] as const

export const outcomeWords: Readonly<Record<OutcomeFilter, string>> = {
  done: 'Done',
  working: 'In progress',
  unknown: 'Not known yet',
  open: 'Not known yet, or in progress',
  attention: 'Needs attention',
  approval: 'Waiting for approval',
  code: 'Waiting for a code',
  'not-done': 'Not done',
  cancelled: 'Cancelled by its author',
  changed: 'Changed before it was sent',
  'no-effect': 'No effect found',
  late: 'Happened after all',
  prepared: 'Prepared by you, not confirmed',
}

export function readActivityFilter(query: URLSearchParams) {
  const { faults, take, takeDays } = filterReader(query)
  const isKind = (text: string) => activityKinds.some((kind) => kind === text)
  const ignored = invisibleWords(query.get('text') ?? '')
  if (ignored !== null) faults.push(`The reference or id was searched without ${ignored}.`)
  const filter: ActivityFilter = {
    ...takeDays(),
    person: personIn(take('person', () => true, 'is not a name.')),
    kind: take('kind', isKind, 'is not a kind of activity, so all are shown.'),
    outcome: take('outcome', isOutcome, 'is not an outcome, so all are shown.') as ActivityFilter['outcome'],
    text: cleanReference(take('text', () => true, 'is not a reference or id.')),
  }
  return { filter, faults }
}

const isOutcome = (text: string): text is OutcomeFilter => Object.hasOwn(outcomeWords, text)

export const filterQuery = (filter: ActivityFilter): URLSearchParams => withFilter(new URLSearchParams(), filter)

export const withFilter = (query: URLSearchParams, filter: ActivityFilter): URLSearchParams =>
  withParameters(query, filterNames, filter, ['page', OPENED])

const choicesOf = (kinds: readonly (CommandKindName | AuditKindName | DecisionKind)[]) =>
  kinds.map((kind) => [kind, kindWords[kind]] as const).toSorted(([, one], [, other]) => one.localeCompare(other))

export const kindChoices = [
  ['Changes', choicesOf(commandKinds)],
  ['Other activity', choicesOf([...auditKinds, ...decisionKinds])],
] as const

export interface ActivityRow extends Pick<CommandView, 'id' | 'kind' | 'title' | 'target' | 'actorName' | 'traceId'> {
  /** The id of the change or audit entry. A decision has that of its change. */
  readonly record: string
  /** ISO 8601: when sent, or when prepared if never sent. */
  readonly at: string
  /** Decimal text in BZD; null if no money moves. */
  readonly amount: string | null
  /** Null for an audit entry or a decision. */
  readonly outcome: CommandView['outcome'] | null
  readonly details: string
}
