import type { CommandView } from '#lib/commands/command.ts'
import type { OutcomeFilter } from '#lib/commands/search.ts'
import { isStorable } from '#lib/contract/json.ts'
import { type CommandKindName, commandKinds } from '#lib/kind-names.ts'
import { type AuditKindName, auditKinds } from '#lib/session/audit-kinds.ts'
import { isDay, isZone } from '#lib/values/time.ts'
import { cleanReference, invisibleWords, visibleText } from '#lib/values/visible-text.ts'
import { kindWords } from './kind-words.ts'

/** An empty text matches everything. Field names are query parameters. An outcome excludes audit entries. */
export interface ActivityFilter {
  /** `me`, or a name from the journal. */
  readonly person: string
  readonly kind: string
  readonly outcome: OutcomeFilter | ''
  /** First and last day, `2026-11-20`, in `zone`. */
  readonly from: string
  readonly to: string
  readonly zone: string
  readonly text: string
}

export const ALL_ACTIVITY: ActivityFilter = { person: '', kind: '', outcome: '', from: '', to: '', zone: '', text: '' }

const filterNames = ['person', 'kind', 'outcome', 'from', 'to', 'zone', 'text'] as const

export const activityKinds = [...commandKinds, ...auditKinds] as const

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

/** Ignores invalid values and reports them in `faults`. */
export function readActivityFilter(query: URLSearchParams): ReadFilter {
  const faults: string[] = []
  const take = (name: string, fits: (text: string) => boolean, otherwise: string): string => {
    const text = (query.get(name) ?? '').trim()
    if (text === '') return ''
    if (text.length <= TEXT_MAX_CHARS && isStorable(text) && fits(text)) return text
    faults.push(`“${visibleText(text).slice(0, 40)}” ${otherwise}`)
    return ''
  }
  const isKind = (text: string) => activityKinds.some((kind) => kind === text)
  const from = take('from', isDay, 'is not a day, so all days are shown. Use the form 2026-11-20.')
  const to = take('to', isDay, 'is not a day, so all days are shown. Use the form 2026-11-20.')
  if (from !== '' && to !== '' && to < from) faults.push('The last day is before the first.')
  const ignored = invisibleWords(query.get('text') ?? '')
  if (ignored !== null) faults.push(`The reference or id was searched without ${ignored}.`)
  const filter = {
    person: take('person', () => true, 'is not a name.'),
    kind: take('kind', isKind, 'is not a kind of activity, so all are shown.'),
    outcome: take('outcome', isOutcome, 'is not an outcome, so all are shown.') as ActivityFilter['outcome'],
    from,
    to,
    zone: take('zone', isZone, 'is not a time zone, so days are in UTC.'),
    text: cleanReference(take('text', () => true, 'is not a reference or id.')),
  }
  return { filter, faults }
}

const isOutcome = (text: string): text is OutcomeFilter => Object.hasOwn(outcomeWords, text)

export function filterQuery(filter: ActivityFilter): URLSearchParams {
  return new URLSearchParams(filterNames.flatMap((name) => (filter[name] === '' ? [] : [[name, filter[name]]])))
}

const choicesOf = (kinds: readonly (CommandKindName | AuditKindName)[]) =>
  kinds.map((kind) => [kind, kindWords[kind]] as const).toSorted(([, one], [, other]) => one.localeCompare(other))

export const kindChoices = [
  ['Changes', choicesOf(commandKinds)],
  ['Other activity', choicesOf(auditKinds)],
] as const

export interface ActivityRow extends Pick<CommandView, 'id' | 'kind' | 'title' | 'target' | 'actorName' | 'traceId'> {
  /** ISO 8601: when sent, or when prepared if never sent. */
  readonly at: string
  /** Decimal text in BZD; null if no money moves. */
  readonly amount: string | null
  /** Null for an audit entry. */
  readonly outcome: CommandView['outcome'] | null
  readonly details: string
}
