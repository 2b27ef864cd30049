import 'server-only'
import type { Kysely } from 'kysely'
import type { Tables } from '#lib/store/tables.ts'
import { shownAmount } from '#lib/values/amount-text.ts'
import { visibleText } from '#lib/values/text.ts'
import type { AccountStatement } from './file/statement.ts'

/** A year of daily statements. */
const STORED_MAX = 400

interface Stored extends AccountStatement {
  /** Null in the file that is imported now. */
  readonly fileName: string | null
}

/** Warns of gaps in numbers and balances, and of repeats, also within the file. */
export async function chainWarnings(
  db: Kysely<Tables>,
  accounts: readonly AccountStatement[],
): Promise<readonly string[]> {
  if (accounts.every(({ account, opening }) => account === '' || opening === null)) return []
  const known: Stored[] = [...(await storedStatements(db))]
  return accounts.flatMap((statement) => {
    const same = known.filter(
      ({ account, currency }) => account === statement.account && currency === statement.currency,
    )
    known.push({ ...statement, fileName: null })
    return statement.account === '' || statement.opening === null ? [] : warningOn(statement, same)
  })
}

async function storedStatements(db: Kysely<Tables>): Promise<readonly Stored[]> {
  const rows = await db
    .selectFrom('statement')
    .select(['file_name', 'accounts'])
    .where('discarded_at', 'is', null)
    .where('accounts', '<>', '[]')
    .orderBy('taken_at', 'desc')
    .limit(STORED_MAX)
    .execute()
  return rows.flatMap(({ file_name: fileName, accounts }) =>
    (JSON.parse(accounts) as readonly AccountStatement[]).map((statement) => ({ ...statement, fileName })),
  )
}

function warningOn(statement: AccountStatement, same: readonly Stored[]): readonly string[] {
  const { account, number, currency, opening, closing } = statement
  const which = `account ${visibleText(account)}`
  if (same.length === 0) return []
  const again = same.find((one) => one.number === number && one.opening === opening && one.closing === closing)
  if (again !== undefined) {
    const named = number === '' ? 'This statement' : `Statement ${visibleText(number)}`
    const { fileName } = again
    return fileName === null
      ? [`${named} of ${which} is in this file twice.`]
      : [`${named} of ${which} was already imported, in ${visibleText(fileName)}.`]
  }
  const [first, last] = missingNumbers(number, same)
  if (first === last) return [`Statement ${first} of ${which} is missing.`]
  if (first < last) return [`Statements ${first} to ${last} of ${which} are missing.`]
  const isLinked = same.some((one) => one.closing === opening || (closing !== null && one.opening === closing))
  if (isLinked || opening === null) return []
  return [
    `The opening balance of ${which} is ${shownAmount(opening)} ${currency}, but no imported statement closed with it. A statement may be missing.`,
  ]
}

const NONE_MISSING = [1, 0] as const

/** The first and last missing number; the first is larger if none is. Numbers may start again each year. */
function missingNumbers(text: string, same: readonly Stored[]): readonly [first: number, last: number] {
  const number = numberOf(text)
  if (number === null) return NONE_MISSING
  const before = same.map((one) => numberOf(one.number)).filter((one) => one !== null && one < number)
  return before.length === 0 ? NONE_MISSING : [Math.max(...before.map(Number)) + 1, number - 1]
}

const numberOf = (text: string): number | null => (/^\d{1,6}$/.test(text) ? Number(text) : null)
