import 'server-only'
import { setImmediate as othersTurn } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { ERASED } from '#lib/commands/row.ts'
import { foldBankReference } from '#lib/deposits/deposit.ts'
import type { Tables } from '#lib/store/tables.ts'
import { withoutInvisible } from '#lib/values/text.ts'
import { isSameAccount } from './file/returned.ts'
import { findSeen, type Seen } from './statement-table.ts'

const LINES_AT_ONCE = 250

type Printed = Pick<Seen, 'fingerprint' | 'account' | 'reference' | 'text'> & { readonly former?: string }

const printsOf = ({ fingerprint, former = fingerprint }: Printed): Set<string> => new Set([fingerprint, former])

/** Each earlier line is repeated once, so equal payments of one day are not dropped. */
export async function* findBefore<Line, Shown extends Printed>(
  db: Kysely<Tables>,
  lines: readonly Line[],
  print: (line: Line) => Shown,
  { except = '', taken = [] }: { readonly except?: string; readonly taken?: readonly string[] } = {},
) {
  const repeated = new Set(taken)
  const placeOf = ({ statement_id, number }: Seen): string => `${statement_id} ${number}`
  for (let start = 0; start < lines.length; start += LINES_AT_ONCE) {
    const part = lines.slice(start, start + LINES_AT_ONCE).map(print)
    const seen = await findSeen(db, [...new Set(part.flatMap((line) => [...printsOf(line)]))])
    const others = seen.filter(({ statement_id }) => statement_id !== except)
    const byFingerprint = Map.groupBy(others, ({ fingerprint }) => fingerprint)
    const found = new Map<Shown, Seen>()
    const wanted = part.flatMap((line) => [...printsOf(line)].map((print, round) => ({ line, print, round })))
    // Whole fingerprints first, so that a new payment does not take the place of an old one.
    for (const { line, print } of wanted.toSorted((one, other) => one.round - other.round)) {
      const before = byFingerprint.get(print)?.find((one) => !repeated.has(placeOf(one)) && isSamePayment(one, line))
      if (found.has(line) || before === undefined) continue
      repeated.add(placeOf(before))
      found.set(line, before)
    }
    for (const line of part) yield { line, before: found.get(line) }
    await othersTurn()
  }
}

/** Some formats give no reference. Lines of before were compared without the second line of their text. */
function isSamePayment(before: Seen, line: Printed): boolean {
  const [one, other] = [withoutInvisible(before.reference), withoutInvisible(line.reference)]
  const [short, long] = [before.text, line.text].map(withoutInvisible).toSorted((a, b) => a.length - b.length)
  const isText = [before.text, line.text].includes(ERASED) || long?.startsWith(short ?? '') === true
  return (
    isSameAccount(before.account, line.account) &&
    (one === '' || other === '' || one === other) &&
    (isText || foldBankReference(before.bank_reference) !== '')
  )
}
