import 'server-only'
import { withoutInvisible } from '#lib/values/visible-text.ts'

/** A text of a line that may be a reference: only the service says whether it is one. */
export interface Candidate {
  readonly reference: string
  /** `field`: the reference field has it with other spaces, in another case or with invisible characters. */
  readonly foundIn: 'field' | 'text'
}

/** Of a free text; whoever pays writes no more. */
const WORDS_MAX = 40
/** So many words in a row may be one reference that somebody wrote with spaces. */
const WORDS_OF_ONE_MAX = 6
/** Of all that is made of one line. */
const CANDIDATES_MAX = 400
/** Shorter texts name many things. */
const CHARS_MIN = 4

/** References that differ in spaces and case only are alike; as the index of seen references has it. */
export const alike = (reference: string): string => reference.replaceAll(/\s/gu, '').toLowerCase()

/**
 * What to ask the service for, the likeliest first: words with a digit before words without, whole words before several put
 * together, as written before in another case. Neither what the line names already nor anything twice.
 */
export function candidatesOf(line: {
  readonly sought: string
  readonly reference: string
  readonly text: string
}): Candidate[] {
  const [written, text] = [withoutInvisible(line.reference), withoutInvisible(line.text)]
  const forms = written === line.reference ? inOtherForms(written) : [written, ...inOtherForms(written)]
  const field = forms.map((reference) => ({ reference, foundIn: 'field' }) as const)
  const words = wordsOf(text)
  const [likely, others] = [words.filter(hasDigit), words.filter((word) => !hasDigit(word))]
  const several = runsOf(text.split(/\s+/u).filter(Boolean).slice(0, WORDS_MAX)).filter(hasDigit)
  const texts = [...likely, text.trim(), ...several, ...likely.flatMap(inOtherForms), ...others]
  const made = [...field, ...texts.map((reference) => ({ reference, foundIn: 'text' }) as const)]
  const taken = new Set([line.sought])
  const kept = made.filter(({ reference }) => {
    const wanted = !taken.has(reference) && [...reference].length >= CHARS_MIN
    taken.add(reference)
    return wanted
  })
  return kept.slice(0, CANDIDATES_MAX)
}

const hasDigit = (text: string): boolean => /\d/u.test(text)

/** Without its spaces, and all in one case; not as it stands. */
function inOtherForms(text: string): string[] {
  const whole = text.replaceAll(/\s/gu, '')
  const forms = [whole, text.toUpperCase(), text.toLowerCase(), whole.toUpperCase(), whole.toLowerCase()]
  return [...new Set(forms)].filter((form) => form !== text)
}

/** Each word as it stands, without the marks around it, and what follows a label (`Ref:`, `EREF+`). */
function wordsOf(text: string): string[] {
  const words = text.split(/\s+/u).filter(Boolean).slice(0, WORDS_MAX)
  return words.flatMap((word) => {
    const bare = word.replaceAll(/^[\p{P}]+|[.,;:!?)\]}"'’”»]+$/gu, '')
    const [, labelled = ''] = /^\p{L}{2,12}[.:=+#]+(.+)$/u.exec(bare) ?? []
    return [...new Set([word, bare, labelled])].filter(Boolean)
  })
}

/** Neighbouring words put together, with and without the spaces between them. */
function runsOf(words: readonly string[]): string[] {
  const runs: string[] = []
  for (let length = 2; length <= WORDS_OF_ONE_MAX; length += 1) {
    for (let start = 0; start + length <= words.length; start += 1) {
      const run = words.slice(start, start + length)
      runs.push(run.join(''), run.join(' '))
    }
  }
  return runs
}
