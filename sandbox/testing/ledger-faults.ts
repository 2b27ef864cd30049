import { sql } from 'kysely'
import type { Db } from '#sandbox/world/tables.ts'

/** Each query finds rows that break one guarantee of the ledger. */
const searches: Readonly<Record<string, string>> = {
  'the entries of a row do not sum to zero': `
    SELECT row_id AS culprit FROM ledger_entry GROUP BY row_id HAVING sum(amount) <> 0`,
  'an account other than the reserve is overdrawn': `
    SELECT e.account_id AS culprit FROM ledger_entry e JOIN account a ON a.id = e.account_id
    WHERE a.kind <> 'reserve' AND e.balance_after < 0`,
  'a balance is not the sum of the entries up to it': `
    SELECT account_id AS culprit FROM (
      SELECT account_id, balance_after,
        sum(amount) OVER (PARTITION BY account_id, bucket ORDER BY position) AS replayed
      FROM ledger_entry) AS replay
    WHERE balance_after <> replayed`,
  'the positions of a place have a gap': `
    SELECT account_id AS culprit FROM ledger_entry
    GROUP BY account_id, bucket HAVING max(position) <> count(*)`,
  'the versions of a transaction have a gap': `
    SELECT reference_id AS culprit FROM ledger_row GROUP BY reference_id HAVING max(version) <> count(*)`,
  'a settled state is followed by another': `
    SELECT r.reference_id AS culprit FROM ledger_row r
    JOIN ledger_row n ON n.reference_id = r.reference_id AND n.version = r.version + 1
    WHERE r.state IN ('PROCESSED', 'FAIL')`,
  'a settled transaction still has money in escrow, or has no time of settlement': `
    SELECT r.reference_id AS culprit FROM ledger_row r LEFT JOIN (
      SELECT of_entry.reference_id, sum(e.amount) AS units FROM ledger_entry e
      JOIN ledger_row of_entry ON of_entry.row_id = e.row_id
      WHERE e.bucket = 'escrow' GROUP BY of_entry.reference_id) held ON held.reference_id = r.reference_id
    WHERE r.state IN ('PROCESSED', 'FAIL') AND (r.settled_at IS NULL OR coalesce(held.units, 0) <> 0)`,
  'a failed transaction moved money': `
    SELECT r.reference_id AS culprit FROM ledger_row r
    JOIN ledger_row all_rows ON all_rows.reference_id = r.reference_id
    JOIN ledger_entry e ON e.row_id = all_rows.row_id
    WHERE r.state = 'FAIL' GROUP BY r.reference_id, e.account_id HAVING sum(e.amount) <> 0`,
  'an available balance is not what the transactions give by balance rules 1 and 2': `
    SELECT a.id AS culprit FROM account a LEFT JOIN (
      SELECT side.id, sum(side.amount) AS available FROM (
        SELECT DISTINCT ON (reference_id) * FROM ledger_row ORDER BY reference_id, version DESC) latest
      CROSS JOIN LATERAL (VALUES
        (latest.to_account_id, CASE WHEN latest.state = 'PROCESSED' THEN latest.credit ELSE 0 END),
        (latest.from_account_id, CASE WHEN latest.state = 'FAIL' THEN 0 ELSE -latest.debit END)) AS side (id, amount)
      GROUP BY side.id) replayed ON replayed.id = a.id
    LEFT JOIN LATERAL (
      SELECT balance_after FROM ledger_entry
      WHERE account_id = a.id AND bucket = 'available' ORDER BY position DESC LIMIT 1) last ON true
    WHERE a.kind IN ('wallet', 'merchant') AND coalesce(last.balance_after, 0) <> coalesce(replayed.available, 0)`,
  'a transaction is missing from the history of a party': `
    SELECT party.reference_id AS culprit FROM (
      SELECT reference_id, from_account_id AS id FROM ledger_row WHERE version = 1
      UNION SELECT reference_id, to_account_id FROM ledger_row WHERE version = 1) party
    JOIN account a ON a.id = party.id
    WHERE a.kind IN ('wallet', 'merchant') AND NOT EXISTS (
      SELECT 1 FROM ledger_history h WHERE h.account_id = a.id AND h.reference_id = party.reference_id)`,
}

export async function ledgerFaults(db: Db): Promise<readonly string[]> {
  const faults: string[] = []
  for (const [guarantee, search] of Object.entries(searches)) {
    const { rows } = await sql.raw<{ culprit: string }>(search).execute(db)
    faults.push(...rows.map(({ culprit }) => `${guarantee}: ${culprit}`))
  }
  return faults
}
