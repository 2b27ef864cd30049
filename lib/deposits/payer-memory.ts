import 'server-only'
import { createHmac } from 'node:crypto'
import type { Kysely } from 'kysely'
import { config } from '#lib/config/config.ts'
import { inTransaction } from '#lib/store/store.ts'
import type { Tables, Trx } from '#lib/store/tables.ts'

/** The longest IBAN. A longer text is no account number. */
const CHARS_MAX = 34
/** Masked numbers and words such as NOTPROVIDED are shared by many payers. */
const DIGITS_MIN = 5
/** An account that paid more wallets belongs to an intermediary. To show only some of its wallets would mislead. */
const WALLETS_MAX = 10

/** The key of an account number in any spelling; null if the text identifies no account. */
export function payerKey(account: string): string | null {
  const written = account
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
  const digits = written.replaceAll(/\D/g, '')
  if (written.length > CHARS_MAX || digits.length < DIGITS_MIN || !/[1-9]/.test(digits)) return null
  return createHmac('sha256', config().auditKey)
    .update(JSON.stringify(['payer account', written]))
    .digest('hex')
}

const payers = (db: Kysely<Tables>) =>
  db
    .selectFrom('statement_line')
    .innerJoin('statement', 'statement.id', 'statement_id')
    .select(['payer_account', 'format'])

/** In MT940 the account is part of a text (tag 86) in which payers write, too, so they could name another's account. */
const keyOfPayer = (line: { readonly payer_account: string; readonly format: string } | undefined): string | null =>
  line === undefined || line.format === 'mt940' ? null : payerKey(line.payer_account)

/** Call it in the transaction that settles the confirmation. Confirmations without a statement line teach nothing. */
export async function rememberPayer(trx: Trx, commandId: string): Promise<void> {
  if (!config().payerMemory) return
  const line = await payers(trx)
    .innerJoin('command', 'command.id', 'command_id')
    .select('facts')
    .where('command_id', '=', commandId)
    .executeTakeFirst()
  const payer = keyOfPayer(line)
  if (line === undefined || payer === null) return
  const { toAccountId } = JSON.parse(line.facts) as { readonly toAccountId: string }
  await trx
    .insertInto('payer_payment')
    .values({
      command_id: commandId,
      payer,
      wallet: toAccountId.toLowerCase(),
      day: new Date().toISOString().slice(0, 10),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The wallets that the payer's account of this line has paid. */
export async function findPaidWallets(
  db: Kysely<Tables>,
  { statementId, number }: { readonly statementId: string; readonly number: number },
) {
  if (!config().payerMemory) return []
  const line = payers(db).where('statement_id', '=', statementId).where('number', '=', number)
  const payer = keyOfPayer(await line.executeTakeFirst())
  if (payer === null) return []
  const wallets = await db
    .selectFrom('payer_payment')
    .select(({ fn }) => ['wallet', fn.countAll<number>().as('count'), fn.max('day').as('last')])
    .where('payer', '=', payer)
    .groupBy('wallet')
    .orderBy('wallet')
    .limit(WALLETS_MAX + 1)
    .execute()
  return wallets.length > WALLETS_MAX ? [] : wallets
}

/** Null: of every account. Removes all suggestions made from it, too. Returns the number of payments erased. */
export const erasePayerMemory = (db: Kysely<Tables>, payer: string | null): Promise<number> =>
  inTransaction(db, async (trx) => {
    await trx.deleteFrom('statement_suggestion').where('found_in', '=', 'payer').execute()
    const payments = trx.deleteFrom('payer_payment')
    const { numDeletedRows } = await (payer === null
      ? payments
      : payments.where('payer', '=', payer)
    ).executeTakeFirst()
    return Number(numDeletedRows)
  })
