import 'server-only'
import { type Kysely, sql } from 'kysely'
import type { Problem } from '#lib/contract/problem.ts'
import type { Transaction } from '#lib/contract/transactions.ts'
import { findPaidWallets } from '#lib/deposits/payer-memory.ts'
import type { Result } from '#lib/service/client.ts'
import { store } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import { isUnknownReference, referenceFault, TRANSFER } from '#lib/transactions/transaction.ts'
import { sameAccount } from '#lib/values/ids.ts'
import { holdsCardNumber, withoutCardNumbers, withoutInvisible } from '#lib/values/text.ts'
import { isIban } from './file/statement.ts'
import type { Suggestion } from './statement-view.ts'

export const LOOK_UPS_PER_LINE = 12
/** To rule out that the line names a second one. */
const LOOK_UPS_BESIDE_ONE = 36
/** A text with more references is not conclusive. */
const SUGGESTIONS_MAX = 3
/** Whoever announces more deposits of one amount gets no suggestions. To show only some would mislead. */
const OF_PAYER_MAX = 10

export interface TextSearch {
  readonly read: (reference: string) => Promise<Result<Transaction>>
}

export interface Suggested {
  readonly found: readonly Suggestion[]
  readonly isWhole: boolean
}

export type Searched = ({ readonly ok: true } & Suggested) | { readonly ok: false; readonly problem: Problem }

/** References in the line's text, or respelled in its field, that exist. `answered`: found for the field as written. */
export async function searchText(
  search: TextSearch,
  line: { readonly sought: string; readonly reference: string; readonly text: string },
  answered: readonly Transaction[] = [],
): Promise<Searched> {
  const found: Suggestion[] = []
  for (const transaction of answered) keep(found, transaction, { foundIn: 'field', paidBefore: null })
  const text = withoutInvisible(line.text).replaceAll(CODE, ' ')
  const words = new Set([text, withoutInvisible(line.reference)].flatMap(wordsOf))
  const isOther = (reference: string) =>
    found.every((one) => (words.has(reference) ? reference !== one.reference : hasMore(reference, one.reference)))
  const othersFirst = (some: readonly Candidate[]) =>
    [true, false].flatMap((other) => some.filter(({ reference }) => isOther(reference) === other))
  const candidates = candidatesOf(line)
  const known = await likelyFirst(candidates)
  const asWritten = withoutSpaces(withoutInvisible(line.reference))
  const mayBeRead = ({ reference }: Candidate) =>
    referenceFault(reference) === null && (withoutSpaces(reference) === asWritten || !holdsCardNumber(reference))
  let left = othersFirst(known.filter((one) => one.reference !== line.sought && mayBeRead(one)))
  for (let looks = 0; found.length < SUGGESTIONS_MAX; looks += 1) {
    const [next, ...rest] = left
    if (next === undefined) break
    if (looks >= (found.length === 1 && isOther(next.reference) ? LOOK_UPS_BESIDE_ONE : LOOK_UPS_PER_LINE)) break
    const result = await search.read(next.reference)
    if (!result.ok && !isUnknownReference(result.problem)) return { ok: false, problem: result.problem }
    if (result.ok) keep(found, result.value, { foundIn: next.foundIn, paidBefore: null })
    left = result.ok ? othersFirst(rest) : rest
  }
  const isAlone = !left.some(({ reference }) => isOther(reference))
  const others = known.map(({ reference }) => reference).filter(isOther)
  const hasCard = [line.text, line.reference, ...others].some(holdsCardNumber)
  const isLong = [text, line.reference].some((one) => partsIn(one).length > WORDS_MAX)
  const isCut = candidates.length === CANDIDATES_MAX || isLong
  return { ok: true, found, isWhole: isAlone && !isCut && !hasCard }
}

/** More than `found` and words without a digit. Lengths of references are alike. */
function hasMore(text: string, found: string): boolean {
  const [whole, known] = [withoutSpaces(text), withoutSpaces(found)]
  const rest = whole.split(known)
  return rest.length === 1 || (rest.some(hasDigit) && whole.length < 2 * Math.max(known.length, SHORT_CHARS))
}

export interface PayerSearch {
  /** Queued transactions among the newest of a wallet. */
  readonly queuedOf: (wallet: string) => Promise<Result<readonly Transaction[]>>
}

/** The deposits that fit the line, of all wallets that its payer's account paid. None if a history cannot be read. */
export async function searchWallets(
  search: PayerSearch,
  line: { readonly statementId: string; readonly number: number },
  isFitting: (transaction: Transaction) => boolean,
): Promise<Searched> {
  const found: Suggestion[] = []
  for (const { wallet, count, last } of await findPaidWallets(await store(), line)) {
    const result = await search.queuedOf(wallet)
    if (!result.ok) {
      const { kind, status } = result.problem
      if (kind === 'session-over' || status === 429) return result
      if (status === 404) continue
      return { ok: true, found: [], isWhole: false }
    }
    for (const one of result.value.filter((one) => isDepositTo(wallet, one) && isFitting(one))) {
      keep(found, one, { foundIn: 'payer', paidBefore: { count, last } })
    }
  }
  return { ok: true, found: found.length > OF_PAYER_MAX ? [] : found, isWhole: false }
}

const isDepositTo = (wallet: string, { toAccountId, transactionType }: Transaction): boolean =>
  sameAccount(toAccountId, wallet) && transactionType !== TRANSFER

type Origin = Pick<Suggestion, 'foundIn' | 'paidBefore'>

function keep(found: Suggestion[], { referenceId, state, debit }: Transaction, origin: Origin): void {
  if (found.every(({ reference }) => reference !== referenceId)) {
    found.push({ reference: referenceId, state, debit, ...origin })
  }
}

/** Known references go first, in their known spelling. */
async function likelyFirst(candidates: readonly Candidate[]): Promise<Candidate[]> {
  const known = await knownAlike(await store(), [
    ...new Set(candidates.map(({ reference }) => withoutSpaces(reference))),
  ])
  const first = candidates.flatMap(({ reference, foundIn }) =>
    (known.get(withoutSpaces(reference)) ?? []).map((written) => ({ reference: written, foundIn })),
  )
  return [...new Map([...first, ...candidates].map((one) => [one.reference, one])).values()]
}

async function knownAlike(
  db: Kysely<Tables>,
  texts: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (texts.length === 0) return new Map()
  const { rows } = await sql<{ reference: string }>`
    SELECT DISTINCT reference FROM state_seen
    WHERE lower(replace(reference, ' ', '')) = ANY(${[...texts]}) ORDER BY reference LIMIT ${LOOK_UPS_PER_LINE}`.execute(
    db,
  )
  return Map.groupBy(
    rows.map(({ reference }) => reference),
    withoutSpaces,
  )
}

/** Only the service can confirm that it is a reference. */
interface Candidate {
  readonly reference: string
  /** `field`: in the reference field, with other spaces, case, invisible characters or words. */
  readonly foundIn: 'field' | 'text'
}

const WORDS_MAX = 40
/** A payer may write a reference with spaces. */
const WORDS_OF_ONE_MAX = 6
const CANDIDATES_MAX = 400
const CHARS_MIN = 4
/** Longer references may begin with one that is not longer. */
const SHORT_CHARS = 10

/** Must match the index on `state_seen`. */
export const withoutSpaces = (reference: string): string => reference.replaceAll(/\s/gu, '').toLowerCase()

export function candidatesOf(line: {
  readonly sought: string
  readonly reference: string
  readonly text: string
}): Candidate[] {
  const [written, whole] = [withoutInvisible(line.reference), withoutCardNumbers(withoutInvisible(line.text))]
  const forms = written === line.reference ? inOtherForms(written) : [written, ...inOtherForms(written)]
  const field = forms.map((reference) => ({ reference, foundIn: 'field' }) as const)
  const texts = [MESSAGE.exec(whole)?.[1] ?? '', whole].flatMap((text) => referencesIn(text.replaceAll(CODE, ' ')))
  const parts = referencesIn(withoutCardNumbers(written)).map((reference) => ({ reference, foundIn: 'field' }) as const)
  const made = [...field, ...texts.map((reference) => ({ reference, foundIn: 'text' }) as const), ...parts]
  const taken = new Set([line.sought])
  const kept = made.filter(({ reference }) => {
    const wanted = !taken.has(reference) && [...reference].length >= CHARS_MIN
    taken.add(reference)
    return wanted
  })
  return kept.slice(0, CANDIDATES_MAX)
}

function referencesIn(text: string): readonly string[] {
  const words = wordsOf(text)
  const [likely, others] = [words.filter(hasDigit), words.filter((word) => !hasDigit(word))]
  const several = [wordsIn(text), partsIn(text)].flatMap((given) => runsOf(given.slice(0, WORDS_MAX))).filter(hasDigit)
  return [...likely, text.trim(), ...several, ...likely.flatMap(inOtherForms), ...others]
}

const hasDigit = (text: string): boolean => /\d/u.test(text)

function inOtherForms(text: string): string[] {
  const whole = text.replaceAll(/\s/gu, '')
  const forms = [whole, text.toUpperCase(), text.toLowerCase(), whole.toUpperCase(), whole.toLowerCase()]
  return [...new Set(forms)].filter((form) => form !== text)
}

/** Structured texts name what follows: `SVWZ+`, `/REMI/USTD//`. */
const CODE =
  /(?<![\p{L}\p{N}])(?:EREF|KREF|MREF|PREF|MARF|CRED|DEBT|CSID|SVWZ|ABWA|ABWE|REMI|USTD|STRD|RTRN|NAME|ADDR|BENM|ORDP|CNTP|IBAN|BIC|PURP|TRTP|TRCD)(?:\+|\/+)/gu

/** The payer's own words in a structured text. */
const MESSAGE = /(?:REMI\/(?:USTD\/+)?|SVWZ\+)(.*?)(?:\/[A-Z]{4}\/|[A-Z]{4}\+|$)/u

const withoutMarks = (text: string): string => text.replaceAll(/^[\p{P}<>°№]+|[.,;:!?)\]}"'’”»/<>°]+$/gu, '')

const wordsIn = (text: string): string[] => text.split(/\s+/u).filter(Boolean)

const SEPARATORS = /[,;|/+&]+/gu

const partsIn = (text: string): string[] => wordsIn(text.replaceAll(SEPARATORS, ' '))

const LABELLED = /^\p{L}{1,12}[.:=+#_°/-]+(.+)$/u

function wordsOf(text: string): string[] {
  const words = wordsIn(text).slice(0, WORDS_MAX)
  return words.flatMap((word) => {
    const parts = [word, ...word.split(/[,;|]+|\/{2,}/u), ...word.split(SEPARATORS)].map(withoutMarks)
    const labelled = parts.map((part) => LABELLED.exec(part)?.[1] ?? '')
    return [...new Set([...parts, ...labelled, word])].filter(Boolean)
  })
}

const isName = (word = ''): boolean => /^\p{L}[\p{L}'’-]*\p{L}$/u.test(withoutMarks(word))

function runsOf(words: readonly string[]): string[] {
  const runs: string[] = []
  const endsReference = (word: string, next?: string) => isIban(withoutMarks(word)) || (isName(word) && isName(next))
  for (let length = 2; length <= WORDS_OF_ONE_MAX; length += 1) {
    for (let start = 0; start + length <= words.length; start += 1) {
      const run = words.slice(start, start + length)
      if (run.some((word, at) => endsReference(word, run[at + 1]))) continue
      const [first = '', ...rest] = run
      const firsts = [first, LABELLED.exec(first)?.[1] ?? first]
      const written = firsts.flatMap((one) => [[one, ...rest].join(''), [one, ...rest].join(' ')])
      runs.push(...new Set([...written.map(withoutMarks), ...written]))
    }
  }
  return runs
}
