import type { Person } from './workspace.ts'

export const MENTIONS_MAX = 20

/** An at sign that begins a word, with the beginning of a name, before the caret. */
export function atBefore(text: string, caret: number): number | null {
  const found = /(?:^|[\s(])@[^\s@]*$/u.exec(text.slice(0, caret))
  return found === null ? null : text.indexOf('@', found.index)
}

export interface TextPart {
  /** Index in the whole text. */
  readonly at: number
  readonly text: string
  /** Null for the text between mentions. */
  readonly name: string | null
}

const begins = /(?:^|[\s(])$/u
const ends = /^(?:$|[^\p{L}\p{N}_@-])/u

/** Of two names that fit, the longer one is meant. */
export function partsOf(text: string, names: readonly string[]): readonly TextPart[] {
  const longestFirst = names.filter((name) => name !== '').toSorted((one, other) => other.length - one.length)
  const parts: TextPart[] = []
  let from = 0
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    const name = begins.test(text.slice(from, at)) || at === 0 ? nameAt(text, at + 1, longestFirst) : undefined
    if (name === undefined) continue
    if (at > from) parts.push({ at: from, text: text.slice(from, at), name: null })
    parts.push({ at, text: `@${name}`, name })
    from = at + 1 + name.length
    at = from - 1
  }
  return from < text.length ? [...parts, { at: from, text: text.slice(from), name: null }] : parts
}

const nameAt = (text: string, at: number, names: readonly string[]): string | undefined =>
  names.find((name) => text.startsWith(name, at) && ends.test(text.slice(at + name.length)))

/** Several people may have the same name. */
export function mentionedIn<Of extends Person>(text: string, people: readonly Of[]): readonly Of[] {
  const parts = partsOf(
    text,
    people.map(({ name }) => name),
  )
  return people.filter(({ name }) => parts.some((part) => part.name === name))
}

export function peopleLike<Of extends Person>(people: readonly Of[], typed: string): readonly Of[] {
  const wanted = typed.trim().toLowerCase()
  const rank = ({ name }: Person) => {
    const low = name.toLowerCase()
    if (low.startsWith(wanted)) return 0
    return low.split(/[\s.@_-]+/).some((word) => word.startsWith(wanted)) ? 1 : 2
  }
  return people
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .toSorted((one, other) => rank(one) - rank(other))
}
