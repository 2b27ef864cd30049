import 'server-only'
import { withoutInvisible } from '#lib/values/visible-text.ts'

/** Only the service can confirm that it is a reference. */
export interface Candidate {
  readonly reference: string
  /** `field`: the reference field has it with other spaces, case or invisible characters. */
  readonly foundIn: 'field' | 'text'
}

const WORDS_MAX = 40
/** A payer may write a reference with spaces. */
const WORDS_OF_ONE_MAX = 6
const CANDIDATES_MAX = 400
const CHARS_MIN = 4

/** Must match the index on `state_seen`. */
export const alike = (reference: string): string => reference.replaceAll(/\s/gu, '').toLowerCase()

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

function inOtherForms(text: string): string[] {
  const whole = text.replaceAll(/\s/gu, '')
  const forms = [whole, text.toUpperCase(), text.toLowerCase(), whole.toUpperCase(), whole.toLowerCase()]
  return [...new Set(forms)].filter((form) => form !== text)
}

function wordsOf(text: string): string[] {
  const words = text.split(/\s+/u).filter(Boolean).slice(0, WORDS_MAX)
  return words.flatMap((word) => {
    const bare = word.replaceAll(/^[\p{P}]+|[.,;:!?)\]}"'’”»]+$/gu, '')
    const [, labelled = ''] = /^\p{L}{2,12}[.:=+#]+(.+)$/u.exec(bare) ?? []
    return [...new Set([word, bare, labelled])].filter(Boolean)
  })
}

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
