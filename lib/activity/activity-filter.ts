import type { OutcomeFilter } from '#lib/commands/command-search.ts'
import { isStorable } from '#lib/contract/storable-text.ts'
import { type CommandKindName, commandKinds } from '#lib/kind-names.ts'
import { type AuditKindName, auditKinds } from '#lib/session/audit-kinds.ts'
import { isDay, isZone } from '#lib/values/day.ts'
import { cleanReference, invisibleWords, visibleText } from '#lib/values/visible-text.ts'
import { kindWords } from './kind-words.ts'

/**
 * Which changes and entries of the audit trail are wanted; an empty text wants all. The names are those of the address. A filter
 * for an outcome leaves entries out: they have none.
 */
export interface ActivityFilter {
  /** `me`, or a person's name as the journal has it. */
  readonly person: string
  readonly kind: string
  readonly outcome: OutcomeFilter | ''
  /** The first and the last day, `2026-11-20`, in `zone`. */
  readonly from: string
  readonly to: string
  /** A time zone; UTC where none is named. */
  readonly zone: string
  /** A reference or an id. */
  readonly text: string
}

/** Everything. */
export const ALL_ACTIVITY: ActivityFilter = { person: '', kind: '', outcome: '', from: '', to: '', zone: '', text: '' }

const filterNames = ['person', 'kind', 'outcome', 'from', 'to', 'zone', 'text'] as const

/** The kinds that can be asked for. */
export const activityKinds = [...commandKinds, ...auditKinds] as const

/** The person who looks, in the address. */
export const ME = 'me'

/** What can be asked for of how changes stand, in words. */
export const outcomeWords: Readonly<Record<OutcomeFilter, string>> = {
  done: 'Done',
  working: 'Working',
  unknown: 'Not known yet',
  open: 'Not known yet, or working',
  attention: 'Needs attention',
  approval: 'Waiting for approval',
  code: 'Waiting for a code',
  'not-done': 'Not done',
  cancelled: 'Cancelled by its author',
  changed: 'Changed since they looked',
  'no-effect': 'No effect shows',
  late: 'Happened after all',
  prepared: 'Prepared by you, not confirmed',
}

const TEXT_MAX_CHARS = 500

interface ReadFilter {
  readonly filter: ActivityFilter
  /** What the address asks for and cannot be had, in words. */
  readonly faults: readonly string[]
}

/** Reads the filter of an address. What cannot be understood is left out, and said. */
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
  const from = take('from', isDay, 'is no day, so every day is shown. A day is written 2026-11-20.')
  const to = take('to', isDay, 'is no day, so every day is shown. A day is written 2026-11-20.')
  if (from !== '' && to !== '' && to < from)
    faults.push('The last day is before the first, so there is nothing to show.')
  const ignored = invisibleWords(query.get('text') ?? '')
  if (ignored !== null) faults.push(`The reference or id was searched without ${ignored}.`)
  const filter = {
    person: take('person', () => true, 'is no name.'),
    kind: take('kind', isKind, 'is no kind of activity, so all kinds are shown.'),
    outcome: take('outcome', isOutcome, 'is no outcome, so all are shown.') as ActivityFilter['outcome'],
    from,
    to,
    zone: take('zone', isZone, 'is no time zone, so days are those of UTC.'),
    text: cleanReference(take('text', () => true, 'is no reference or id.')),
  }
  return { filter, faults }
}

const isOutcome = (text: string): text is OutcomeFilter => Object.hasOwn(outcomeWords, text)

/** The part of an address that {@link readActivityFilter} reads. */
export function filterQuery(filter: ActivityFilter): URLSearchParams {
  return new URLSearchParams(filterNames.flatMap((name) => (filter[name] === '' ? [] : [[name, filter[name]]])))
}

const choicesOf = (kinds: readonly (CommandKindName | AuditKindName)[]) =>
  kinds.map((kind) => [kind, kindWords[kind]] as const).toSorted(([, one], [, other]) => one.localeCompare(other))

/** What can be chosen of kinds, by their words. */
export const kindChoices = [
  ['Changes', choicesOf(commandKinds)],
  ['Beside changes', choicesOf(auditKinds)],
] as const
