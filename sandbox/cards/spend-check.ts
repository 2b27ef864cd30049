import { sql } from 'kysely'
import { Refusal } from '#sandbox/http/problem.ts'
import { parseUnits, type Units } from '#sandbox/ledger/amount.ts'
import { plusSeconds } from '#sandbox/world/clock.ts'
import type { Trx } from '#sandbox/world/tables.ts'
import { type CapName, capsOf, capWords } from './caps.ts'
import { type CardRow, lockedCard } from './card-rows.ts'

const DAY_SECONDS = 24 * 3600

const unusable = (title: string): Refusal => new Refusal(400, 'core::tessera::unusable', title)

/** Throws unless the card can pay `units`, fee included. The ledger must be locked: past payments count. */
export async function requireUsableCard(
  trx: Trx,
  cardId: string,
  userId: string,
  units: Units,
  now: string,
): Promise<void> {
  const card = await lockedCard(trx, cardId, userId)
  if (card.status !== 'ACTIVE') throw unusable(`This card cannot pay: it is ${card.status}.`)
  if (card.frozen) throw unusable('This card cannot pay: it is frozen.')
  const exceeded = await exceededCap(trx, card, units, now)
  if (exceeded !== null) throw unusable(`This card cannot pay so much: its ${capWords[exceeded]} does not allow it.`)
}

async function exceededCap(trx: Trx, card: CardRow, units: Units, now: string): Promise<CapName | null> {
  const { perTxnCap, dailyCap, lifetimeCap } = capsOf(card)
  const spent = await spentWith(trx, card.id, now)
  if (perTxnCap !== null && units > perTxnCap) return 'perTxnCap'
  if (dailyCap !== null && spent.daily + units > dailyCap) return 'dailyCap'
  if (lifetimeCap !== null && spent.lifetime + units > lifetimeCap) return 'lifetimeCap'
  return null
}

/** Debits, fees included, of transactions that did not fail. The daily sum covers exactly 24 hours. */
async function spentWith(trx: Trx, cardId: string, now: string): Promise<{ daily: Units; lifetime: Units }> {
  const dayAgo = plusSeconds(now, -DAY_SECONDS)
  const { rows } = await sql<{ daily: string; lifetime: string }>`
    SELECT coalesce(sum(latest.debit) FILTER (WHERE created.created_at > ${dayAgo}), 0) AS daily,
      coalesce(sum(latest.debit), 0) AS lifetime
    FROM ledger_row created
    CROSS JOIN LATERAL (
      SELECT debit, state FROM ledger_row WHERE reference_id = created.reference_id ORDER BY version DESC LIMIT 1
    ) latest
    WHERE created.card_id = ${cardId} AND created.version = 1 AND latest.state <> 'FAIL'`.execute(trx)
  return { daily: parseUnits(rows[0]?.daily ?? '0'), lifetime: parseUnits(rows[0]?.lifetime ?? '0') }
}
