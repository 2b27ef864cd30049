import type { CommandView } from '#lib/commands/command.ts'
import type { OutcomeFilter } from '#lib/commands/search.ts'
import { isStorable } from '#lib/contract/json.ts'
import { type CommandKindName, commandKinds } from '#lib/kind-names.ts'
import { type AuditKindName, auditKinds } from '#lib/session/audit-kinds.ts'
import { absoluteDay, dayAfter, dayStart, expectedDay, isDayOrRelative, isZone } from '#lib/values/time.ts'
import { cleanReference, invisibleWords, visibleText } from '#lib/values/visible-text.ts'
import { type DecisionKind, decisionKinds, kindWords } from './kind-words.ts'

/** First and last day in `zone`: `2026-11-20`, `today`, `yesterday` or `today-6`. */
interface Days {
  readonly from: string
  readonly to: string
  readonly zone: string
}

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

export const ME = 'me'

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

const TEXT_MAX_CHARS = 500

interface ReadFilter {
  readonly filter: ActivityFilter
  readonly faults: readonly string[]
}

/** `take` ignores an invalid value and reports it in `faults`. */
export function filterReader(query: URLSearchParams) {
  const faults: string[] = []
  const textOf = (name: string): string => (query.get(name) ?? '').trim()
  const take = (name: string, fits: (text: string) => boolean, otherwise: string): string => {
    const text = textOf(name)
    if (text === '') return ''
    if (text.length <= TEXT_MAX_CHARS && isStorable(text) && fits(text)) return text
    faults.push(`“${visibleText(text).slice(0, 40)}” ${otherwise}`)
    return ''
  }
  const takeDays = (): Days => {
    const [from = '', to = ''] = ['from', 'to'].map((name) =>
      take(
        name,
        isDayOrRelative,
        `is not ${expectedDay(textOf(name))}, so all days are shown. Use the form 2026-11-20.`,
      ),
    )
    const days = { from, to, zone: take('zone', isZone, 'is not a time zone, so days are in UTC.') }
    const { from: first, to: last } = withAbsoluteDays(days)
    if (first !== '' && last !== '' && last < first) faults.push('The last day is before the first.')
    return days
  }
  return { faults, take, takeDays }
}

export function readActivityFilter(query: URLSearchParams): ReadFilter {
  const { faults, take, takeDays } = filterReader(query)
  const isKind = (text: string) => activityKinds.some((kind) => kind === text)
  const ignored = invisibleWords(query.get('text') ?? '')
  if (ignored !== null) faults.push(`The reference or id was searched without ${ignored}.`)
  const filter = {
    ...takeDays(),
    person: take('person', () => true, 'is not a name.'),
    kind: take('kind', isKind, 'is not a kind of activity, so all are shown.'),
    outcome: take('outcome', isOutcome, 'is not an outcome, so all are shown.') as ActivityFilter['outcome'],
    text: cleanReference(take('text', () => true, 'is not a reference or id.')),
  }
  return { filter, faults }
}

export function withAbsoluteDays<Filter extends Days>(filter: Filter): Filter {
  const zone = filter.zone === '' ? 'UTC' : filter.zone
  return { ...filter, from: absoluteDay(filter.from, zone), to: absoluteDay(filter.to, zone) }
}

/** ISO 8601; `until` is exclusive, and null means no bound. */
export function boundsOf(days: Days): { readonly since: string | null; readonly until: string | null } {
  const { from, to, zone } = withAbsoluteDays(days)
  const inZone = zone === '' ? 'UTC' : zone
  return {
    since: from === '' ? null : dayStart(from, inZone),
    until: to === '' ? null : dayStart(dayAfter(to), inZone),
  }
}

const isOutcome = (text: string): text is OutcomeFilter => Object.hasOwn(outcomeWords, text)

export const filterQuery = (filter: ActivityFilter): URLSearchParams => withFilter(new URLSearchParams(), filter)

/** Keeps what else is in the address, but the page and the opened row. */
export function withFilter(query: URLSearchParams, filter: ActivityFilter): URLSearchParams {
  const changed = new URLSearchParams(query)
  for (const name of ['page', OPENED, ...filterNames]) changed.delete(name)
  for (const name of filterNames) if (filter[name] !== '') changed.set(name, filter[name])
  return changed
}

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
