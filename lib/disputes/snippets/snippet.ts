import { messageFault } from '#lib/disputes/thread/thread.ts'
import { CARD_NUMBER_WORDS, holdsCardNumber, lineFault } from '#lib/values/text.ts'
import { ownProperty } from '#lib/values/words.ts'

export interface NamedEntry {
  readonly id: string
  readonly name: string
  readonly changedBy: string
  readonly changedAt: string
}

export interface Snippet extends NamedEntry {
  readonly text: string
}

/** Placeholders, for example `{amount}`. */
export const snippetFields = ['amount', 'reference', 'sender', 'recipient', 'case'] as const

export type SnippetValues = Readonly<Partial<Record<(typeof snippetFields)[number], string>>>

const NAME_MAX_CHARS = 60
export const SNIPPETS_MAX = 200

export const nameKey = (name: string): string => name.trim().normalize('NFC').toLowerCase()

export function entryNameFault(noun: string, typed: string): string | null {
  if (typed.trim() === '') return `Enter a name for the ${noun}.`
  return holdsCardNumber(typed) ? CARD_NUMBER_WORDS : lineFault(typed.trim(), NAME_MAX_CHARS)
}

export const snippetNameFault = (typed: string): string | null => entryNameFault('snippet', typed)

/** A reason has its own limit where it is used. */
export const snippetTextFault = (typed: string): string | null =>
  typed.trim() === '' ? 'Enter a text.' : messageFault(typed)

export interface Filled {
  readonly text: string
  readonly gap: readonly [start: number, end: number] | null
}

export function fillSnippet(text: string, values: SnippetValues): Filled {
  let gap: Filled['gap'] = null
  let filled = ''
  let from = 0
  for (const { 0: field, 1: name = '', index } of text.matchAll(/\{([a-z]+)\}/g)) {
    filled += text.slice(from, index)
    const value = ownProperty(values, name)
    if (value === undefined) gap ??= [filled.length, filled.length + field.length]
    filled += value ?? field
    from = index + field.length
  }
  return { text: filled + text.slice(from), gap }
}

export function snippetsFor(snippets: readonly Snippet[], typed: string): readonly Snippet[] {
  const wanted = typed.trim().toLowerCase()
  const words = wanted.split(/\s+/)
  const rank = ({ name }: Snippet) => (name.toLowerCase().startsWith(wanted) ? 0 : 1)
  return snippets
    .filter(({ name, text }) => words.every((word) => `${name} ${text}`.toLowerCase().includes(word)))
    .toSorted((one, other) => rank(one) - rank(other))
}

/** A slash that begins a word, directly before the caret. */
export function slashBefore(text: string, caret: number): number | null {
  if (text[caret - 1] !== '/') return null
  const before = text[caret - 2]
  return before === undefined || /[\s(]/.test(before) ? caret - 1 : null
}
