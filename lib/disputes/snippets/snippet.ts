import { messageFault } from '#lib/disputes/thread/message-text.ts'
import { own } from '#lib/values/own.ts'
import { CARD_NUMBER_WORDS, holdsCardNumber, lineFault } from '#lib/values/typed-line.ts'

/** A text that staff share for messages, internal notes and reasons. */
export interface Snippet {
  readonly id: string
  readonly name: string
  readonly text: string
  /** Who changed it last, by name, and when (ISO 8601). */
  readonly changedBy: string
  readonly changedAt: string
}

/** What a snippet may name of a case, as `{amount}`. */
export const snippetFields = ['amount', 'reference', 'sender', 'recipient', 'case'] as const

/** What is known of a case for the fields of a snippet, as its page shows it. */
export type SnippetValues = Readonly<Partial<Record<(typeof snippetFields)[number], string>>>

const NAME_MAX_CHARS = 60
/** More is no choice any more. */
export const SNIPPETS_MAX = 200

/** By which two names are the same. */
export const nameKey = (name: string): string => name.trim().normalize('NFC').toLowerCase()

export function snippetNameFault(typed: string): string | null {
  if (typed.trim() === '') return 'Give the snippet a name.'
  return holdsCardNumber(typed) ? CARD_NUMBER_WORDS : lineFault(typed.trim(), NAME_MAX_CHARS)
}

/** As long as a message may be: a reason is checked where it is given. */
export const snippetTextFault = (typed: string): string | null =>
  typed.trim() === '' ? 'Write the text first.' : messageFault(typed)

interface Filled {
  readonly text: string
  /** Where the first field stands that is still to be filled in; null when there is none. */
  readonly gap: readonly [start: number, end: number] | null
}

/** A snippet with what is known of the case; a field that is not known stays as it is written. */
export function fillSnippet(text: string, values: SnippetValues): Filled {
  let gap: Filled['gap'] = null
  let filled = ''
  let from = 0
  for (const { 0: field, 1: name = '', index } of text.matchAll(/\{([a-z]+)\}/g)) {
    filled += text.slice(from, index)
    const value = own(values, name)
    if (value === undefined) gap ??= [filled.length, filled.length + field.length]
    filled += value ?? field
    from = index + field.length
  }
  return { text: filled + text.slice(from), gap }
}

/** The snippets whose name or text has every word that was typed; those whose name begins with it come first. */
export function snippetsFor(snippets: readonly Snippet[], typed: string): readonly Snippet[] {
  const wanted = typed.trim().toLowerCase()
  const words = wanted.split(/\s+/)
  const rank = ({ name }: Snippet) => (name.toLowerCase().startsWith(wanted) ? 0 : 1)
  return snippets
    .filter(({ name, text }) => words.every((word) => `${name} ${text}`.toLowerCase().includes(word)))
    .toSorted((one, other) => rank(one) - rank(other))
}
