import 'server-only'
import { noteWords } from '#lib/activity/entry-words.ts'
import { isByAuthor, isNote, shownEvent } from '#lib/activity/history.ts'
import { kindWords } from '#lib/activity/kind-words.ts'
import { commandStateWords, type Line } from '#lib/commands/command.ts'
import type { Dossier } from '#lib/commands/evidence.ts'
import { bodyOf } from '#lib/journal/event.ts'
import type { Html, Part } from '#lib/values/html.ts'
import { ownProperty } from '#lib/values/words.ts'
import { code, type Fact, factList, html, indented, isRecord, named, rawValue, shownValue, timeOf } from './html.ts'

/** Of the journal. Any field may be absent: earlier builds did not write it, or it was erased. */
export interface Entry {
  readonly index: number
  readonly command: string
  readonly at: string
  readonly state: string
  readonly actor: string
  readonly fields: Readonly<Record<string, unknown>>
  /** By name: markup in its place. */
  readonly erased: ReadonlyMap<string, Html>
}

interface Leaf extends Pick<Entry, 'command' | 'at' | 'state' | 'actor'> {
  readonly sequence: number
  readonly body: Readonly<Record<string, unknown>>
}

/** By change, in the order of the log. */
export function changesOf(entries: Dossier['entries']): readonly (readonly Entry[])[] {
  const changes = Map.groupBy(entries, ({ leaf }) => (leaf as Leaf).command)
  return [...changes.values()].map((own) => {
    const read: Entry[] = []
    for (const { index, leaf, fields } of own.toReversed()) {
      const { sequence, command, at, state, actor, body } = leaf as Leaf
      const values = bodyOf(Object.entries(fields).map(([name, [, value]]) => [name, value]))
      const names = Object.keys(body).filter((name) => !Object.hasOwn(fields, name))
      const erased = new Map(names.map((name) => [name, erasure(read.find((later) => erases(later, sequence, name)))]))
      read.push({ index, command, at, state, actor, fields: values, erased })
    }
    return read.reverse()
  })
}

function erases({ fields: { erased } }: Entry, sequence: number, name: string): boolean {
  const names = isRecord(erased) ? erased[sequence] : null
  return Array.isArray(names) && names.includes(name)
}

const erasure = (by?: Entry): Html => html`<em>erased${by === undefined ? null : html`, ${timeOf(by.at)}`}</em>`

function firstOf(entries: readonly Entry[], name: string, shown: (value: unknown) => Part): Part {
  const found = entries.find(({ fields }) => Object.hasOwn(fields, name))
  if (found !== undefined) return shown(found.fields[name])
  return entries.flatMap((entry) => erasedIn(entry, name))[0]?.[1] ?? null
}

/** Of a field and its members. */
const erasedIn = ({ erased }: Entry, name: string): readonly (readonly [string, Html])[] =>
  [...erased].filter(([field]) => field === name || field.startsWith(`${name}.`))

const asText = (value: unknown): string => (typeof value === 'string' ? value : indented(value))

export const textField = (entries: readonly Entry[], name: string): Part => firstOf(entries, name, asText)

export const withoutPrefix = (actor: string): string => actor.replace(/^sso:/, '')

export const person = (name: Part, actor: string): Html => html`<bdi>${name}</bdi> ${code(withoutPrefix(actor))}`

export function changeSection(entries: readonly Entry[]): Html {
  const [first] = entries
  if (first === undefined) return html``
  const text = first.fields.confirmText
  return html`<section><h3>${titleOf(entries)}</h3>
${factList(factsOf(entries, first))}
${entered(entries, text)}
${eventTable(entries)}</section>`
}

const kindLabel = (kind: unknown): string => ownProperty(kindWords, asText(kind)) ?? asText(kind)

function titleOf(entries: readonly Entry[]): Part {
  const text = entries[0]?.fields.confirmText
  if (isRecord(text) && typeof text.title === 'string') return text.title
  const kind = firstOf(entries, 'kind', kindLabel)
  const target = textField(entries, 'target')
  return target === null || target === '' ? kind : [kind, ': ', target]
}

function factsOf(entries: readonly Entry[], first: Entry): readonly Fact[] {
  const facts: readonly Fact[] = [
    ...shownText(first),
    ['Prepared by', person(textField(entries, 'actorName') ?? '', first.actor)],
    ['Kind', firstOf(entries, 'kind', (value) => named(kindLabel(value), asText(value)))],
    ['Change', code(first.command)],
    ['Fingerprint', firstOf(entries, 'effect', (value) => code(asText(value)))],
  ]
  return facts.filter(([, value]) => value !== null)
}

const linesOf = (text: unknown): readonly Readonly<Record<string, unknown>>[] =>
  isRecord(text) && Array.isArray(text.lines) ? text.lines.filter(isRecord) : []

function shownText(entry: Entry): readonly Fact[] {
  const text = entry.fields.confirmText
  const [erased] = erasedIn(entry, 'confirmText')
  if (erased !== undefined) return [['Text shown for confirmation', erased[1]]]
  if (!isRecord(text)) return []
  const proof = isRecord(text.proof) ? [text.proof.label, text.proof.expected].map(asText).join(': ') : null
  return [
    ...linesOf(text).map(({ label, value, as }): Fact => [asText(label), shownValue(asText(value), as as Line['as'])]),
    ['Warning', typeof text.warning === 'string' ? text.warning : null],
    ['Typed to confirm', proof],
    ['Consequence', typeof text.consequence === 'string' ? text.consequence : null],
  ]
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** What no line of the confirmation shows. */
function entered(entries: readonly Entry[], text: unknown): Part {
  const shown = new Set(linesOf(text).map(({ value }) => value))
  const [first] = entries
  const gone = first === undefined ? [] : erasedIn(first, 'params').filter(([name]) => name !== 'params')
  const values = firstOf(entries, 'params', (params) => {
    const hidden = Object.entries(isRecord(params) ? params : {}).filter(
      ([, value]) => !(shown.has(value) || isEmpty(value)),
    )
    const facts = [
      ...hidden.map(([name, value]): Fact => [code(name), rawValue(value)]),
      ...gone.map(([name, erasure]): Fact => [code(name.slice('params.'.length)), erasure]),
    ]
    return facts.length === 0 ? null : factList(facts)
  })
  return values === null ? null : html`<h4>${isRecord(text) ? 'Also entered' : 'What was entered'}</h4>${values}`
}

const cell = (label: string, value: Part): Html => html`<td data-label="${label}">${value}</td>`

const eventTable = (entries: readonly Entry[]): Html => html`<table>
<thead><tr><th>Time</th><th>Entry</th><th>What happened</th><th>By</th><th>Details</th></tr></thead>
<tbody>${entries.map((entry, at) => eventRow(entry, at === 0))}</tbody></table>`

function eventRow(entry: Entry, isFirst: boolean): Html {
  const { index, at, fields, erased } = entry
  const { state, notes } = shownEvent(entry.state, fields)
  const shown: readonly Fact[] = [
    ...notes.map(([name, value]) => noteFact(name, value)),
    ...[...erased]
      .filter(([name]) => isNote(name) && !name.includes('.'))
      .map(([name, erasure]): Fact => [noteWords(name, '')[0], erasure]),
  ]
  return html`<tr>
${cell('Time', timeOf(at))}
${cell('Entry', index)}
${cell('What happened', commandStateWords(state).word)}
${cell('By', byWhom(entry, isFirst))}
${cell(
  'Details',
  shown.map(([label, value]) => html`<p><span>${label}:</span> <bdi>${value}</bdi></p>`),
)}
</tr>`
}

const IDENTIFIER = /^\S{20,}$/

function noteFact(name: string, value: string): Fact {
  const [label, words] = noteWords(name, value)
  return [label, words === value && IDENTIFIER.test(value) ? code(value) : words]
}

function byWhom(entry: Entry, isFirst: boolean): Part {
  const { fields, erased, state } = entry
  const id = typeof fields.by === 'string' ? [' ', code(withoutPrefix(fields.by))] : null
  if (typeof fields.byName === 'string') return html`<bdi>${fields.byName}</bdi>${id}`
  const erasure = erased.get('byName')
  if (erasure !== undefined) return html`${erasure}${id}`
  if (!isByAuthor(state, fields, isFirst)) return 'the console'
  return html`<bdi>${textField([entry], 'actorName')}</bdi>`
}
