import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'

const INVISIBLE = /(?![\0\t\n\v\f\r])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/gu
const BANK_REFERENCE_MAX_CHARS = 140
const ROWS_AT_ONCE = 1_000

const withoutInvisible = (text: string): string => text.replace(INVISIBLE, '')

/** `foldBankReference` as it was when this migration was written. */
const fold = (text: string): string =>
  withoutInvisible(text)
    .normalize('NFKC')
    .toUpperCase()
    .normalize('NFKC')
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .replace(/\s+/g, ' ')
    .trim()

const keyOf = (bankReference: string): string => `bank:${fold(bankReference)}`

/**
 * Bank references that differ only in dashes or invisible characters become one identity: locks, lines of statements and
 * references entered by hand get the keys that the console computes from now on.
 *
 * Several changes may hold what is now one lock. The strongest holds it; each of the others keeps a row of its own that waits
 * for it, so that the lock is free only once all of them are released.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE command_lock ADD COLUMN waits_for text`.execute(db)
  await sql`CREATE INDEX command_lock_waits_for ON command_lock (waits_for) WHERE waits_for IS NOT NULL`.execute(db)
  await rekeyLocks(db)
  await rekeyLines(db)
  await rekeyEntered(db)
  await sql`
    CREATE FUNCTION hand_over_lock() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE command_lock SET key = OLD.key, waits_for = NULL
      WHERE key = (SELECT key FROM command_lock WHERE waits_for = OLD.key ORDER BY key LIMIT 1);
      RETURN NULL;
    END $$`.execute(db)
  await sql`
    CREATE TRIGGER hand_over AFTER DELETE ON command_lock FOR EACH ROW EXECUTE FUNCTION hand_over_lock()`.execute(db)
}

interface Lock {
  readonly key: string
  readonly command_id: string
  readonly back_to: string | null
  readonly state: string
  readonly sent_at: string | null
  readonly params: string
  readonly lender_params: string | null
}

interface Claim {
  readonly key: string
  readonly commandId: string
  readonly backTo: string | null
  readonly strength: number
  readonly sentAt: string
}

/** The less, the stronger: an effect that is known, one that may come, and none that shows. */
const strengthOf = (state: string): number => {
  if (state === 'done' || state === 'applied') return 0
  return state === 'not_applied' ? 2 : 1
}

function keyOfCommand(params: string, key: string): string {
  const { bankReference } = JSON.parse(params) as { readonly bankReference?: unknown }
  return typeof bankReference === 'string' ? keyOf(bankReference) : key
}

async function rekeyLocks(db: Kysely<unknown>): Promise<void> {
  const moved: Lock[] = []
  for (let last = ''; ; ) {
    const { rows } = await sql<Lock>`
      SELECT key, command_id, back_to, command.state, command.sent_at, command.params, lender.params AS lender_params
      FROM command_lock JOIN command ON command.id = command_id LEFT JOIN command lender ON lender.id = back_to
      WHERE key LIKE 'bank:%' AND key > ${last} ORDER BY key LIMIT ${ROWS_AT_ONCE}`.execute(db)
    moved.push(...rows.filter((row) => keysOf(row).some((key) => key !== row.key)))
    if (rows.length < ROWS_AT_ONCE) break
    last = rows.at(-1)?.key ?? ''
  }
  const claims = moved.flatMap(claimsOf)
  for (const { key } of moved) await sql`DELETE FROM command_lock WHERE key = ${key}`.execute(db)
  for (const [key, rivals] of Map.groupBy(claims, (claim) => claim.key)) await claimKey(db, key, rivals)
}

/** The key of a lock and, if its holder borrowed it, that of the lender: one text folded as before may now be two. */
const keysOf = ({ key, params, lender_params: lender }: Lock): readonly string[] =>
  [params, ...(lender === null ? [] : [lender])].map((it) => keyOfCommand(it, key))

function claimsOf(lock: Lock): readonly Claim[] {
  const [key = '', lent = key] = keysOf(lock)
  const sentAt = lock.sent_at ?? ''
  const holder = { key, commandId: lock.command_id, backTo: lock.back_to, strength: strengthOf(lock.state), sentAt }
  if (lock.back_to === null || lent === key) return [holder]
  return [holder, { key: lent, commandId: lock.back_to, backTo: null, strength: strengthOf('not_applied'), sentAt }]
}

/** The strongest claim first; of equal ones, the one that was sent first. */
const rankOf = ({ strength, sentAt, commandId }: Claim): string => `${strength} ${sentAt} ${commandId}`

/** Gives a key to the strongest of its claims, of those that hold it unchanged too; the others wait for it. */
async function claimKey(db: Kysely<unknown>, key: string, rivals: readonly Claim[]): Promise<void> {
  const { rows } = await sql<Lock>`
    DELETE FROM command_lock USING command WHERE key = ${key} AND command.id = command_id
    RETURNING key, command_id, back_to, command.state, command.sent_at, command.params, NULL AS lender_params`.execute(
    db,
  )
  const present = rows.map(({ command_id, back_to, state, sent_at }) => ({
    ...{ key, commandId: command_id, backTo: back_to, strength: strengthOf(state), sentAt: sent_at ?? '' },
  }))
  const [first, ...others] = [...present, ...rivals].sort((a, b) => (rankOf(a) < rankOf(b) ? -1 : 1))
  if (first === undefined) return
  await insertLock(db, key, first, null)
  // A folded key has no small letters, so none is ever equal to that of a row that waits.
  for (const other of others) await insertLock(db, `${key} after ${other.commandId}`, other, key)
}

const insertLock = (db: Kysely<unknown>, key: string, { commandId, backTo }: Claim, waitsFor: string | null) =>
  sql`INSERT INTO command_lock (key, command_id, for_ever, back_to, waits_for)
    VALUES (${key}, ${commandId}, true, ${backTo}, ${waitsFor}) ON CONFLICT DO NOTHING`.execute(db)

interface Line {
  readonly statement_id: string
  readonly number: number
  readonly bank_used: string
  readonly bank_key: string | null
  readonly bank_reference: string
  readonly amount: string
  readonly currency: string
  readonly reference: string
  readonly booked_on: string
  readonly text: string
  readonly fingerprint: string
}

function fingerprintOf({ bank_reference, amount, currency, reference, booked_on, text }: Line): string {
  const [written, described] = [withoutInvisible(reference), withoutInvisible(text)]
  return createHash('sha256')
    .update(JSON.stringify([fold(bank_reference), amount, currency, written, booked_on, described]))
    .digest('hex')
}

function lineKeyOf(bankUsed: string): string | null {
  const chars = [...withoutInvisible(bankUsed).trim()].length
  return chars > 0 && chars <= BANK_REFERENCE_MAX_CHARS ? keyOf(bankUsed) : null
}

async function rekeyLines(db: Kysely<unknown>): Promise<void> {
  for (let at = { statement: '', number: 0 }; ; ) {
    const { rows } = await sql<Line>`
      SELECT statement_id, number, bank_used, bank_key, bank_reference, amount, currency, reference, booked_on, text, fingerprint
      FROM statement_line WHERE (statement_id, number) > (${at.statement}, ${at.number})
      ORDER BY statement_id, number LIMIT ${ROWS_AT_ONCE}`.execute(db)
    for (const row of rows) {
      const [key, fingerprint] = [lineKeyOf(row.bank_used), fingerprintOf(row)]
      if (key === row.bank_key && fingerprint === row.fingerprint) continue
      await sql`
        UPDATE statement_line SET bank_key = ${key}, fingerprint = ${fingerprint}
        WHERE statement_id = ${row.statement_id} AND number = ${row.number}`.execute(db)
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < ROWS_AT_ONCE) return
    at = { statement: last.statement_id, number: last.number }
  }
}

/** The text that was entered is in the event of the edit. */
async function rekeyEntered(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ edit_id: string; bank_key: string; body: string }>`
    SELECT edit_id, bank_key, event.body FROM entered_reference JOIN command_event event ON event.command_id = edit_id
    WHERE bank_key IS NOT NULL ORDER BY edit_id, event.sequence`.execute(db)
  await sql`ALTER TABLE entered_reference DISABLE TRIGGER append_only`.execute(db)
  for (const { edit_id, bank_key, body } of rows) {
    const { what, new: entered } = JSON.parse(body) as { what?: unknown; new?: unknown }
    if (what !== 'bank-reference' || typeof entered !== 'string' || keyOf(entered) === bank_key) continue
    await sql`UPDATE entered_reference SET bank_key = ${keyOf(entered)} WHERE edit_id = ${edit_id}`.execute(db)
  }
  await sql`ALTER TABLE entered_reference ENABLE TRIGGER append_only`.execute(db)
}
