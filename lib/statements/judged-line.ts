import 'server-only'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Tables } from '#lib/store/tables.ts'
import type { LineHold, LineStatus } from './statement-line.ts'

export type JudgedLine = Selectable<Tables['statement_line']> & {
  readonly status: LineStatus
  readonly hold: LineHold | null
  readonly command_state: string | null
  readonly command_outcome: string | null
  /** From the lookup or a later read; null if nothing was found. */
  readonly present_state: string | null
}

/** True if an earlier line names the same reference or bank reference; for all lines of a statement. */
const AFTER_OTHERS = sql`
  (line.sought <> '' AND
    min(CASE WHEN line.set_aside_reason IS NULL THEN line.number END) OVER (PARTITION BY line.sought) < line.number)
  OR (line.bank_key IS NOT NULL AND
    min(CASE WHEN line.set_aside_reason IS NULL THEN line.number END) OVER (PARTITION BY line.bank_key) < line.number)`

/** The same for a single line. */
const AFTER_ANOTHER = sql`
  EXISTS (SELECT 1 FROM statement_line twin WHERE twin.statement_id = line.statement_id AND twin.number < line.number
    AND twin.set_aside_reason IS NULL
    AND ((line.sought <> '' AND twin.sought = line.sought) OR twin.bank_key = line.bank_key))`

/** Makes PostgreSQL use the index for a single line, even without statistics. */
const ONLY_SOUGHT = sql`(SELECT sought FROM ours)`
const ONLY_BANK_KEY = sql`(SELECT bank_key FROM ours)`

const inOtherStatement = (same: RawBuilder<unknown>) => sql`
  SELECT ours.number, ours.statement_id, ours.taken_at, twin.statement_id AS other_id
  FROM ours JOIN statement_line twin ON ${same}
  WHERE twin.statement_id <> ours.statement_id AND twin.set_aside_reason IS NULL`

/** The deposit page has confirmed this line's payment, with this bank reference and amount. */
const CONFIRMED_ON_ITS_PAGE = sql`
  line.verdict IN ('ready', 'mismatched') AND line.currency IN ('', 'BZD')
  AND page.kind = 'deposit.confirm' AND page.target = line.sought AND page.state IN ('done', 'applied')
  AND (page.params::json ->> 'statementAmount')::numeric = line.amount::numeric
  AND NOT EXISTS (SELECT 1 FROM statement_line other JOIN statement theirs ON theirs.id = other.statement_id
    WHERE other.command_id = page.id AND theirs.discarded_at IS NULL)`

/** A state read after the lookup counts if the lookup found QUEUED or the state is final. */
const SEEN_LATER = sql`
  SELECT DISTINCT ON (ours.number) ours.number, seen.state FROM ours JOIN state_seen seen ON seen.reference = ours.sought
  WHERE seen.state <> ours.found_state AND (ours.found_state = 'QUEUED' OR seen.state IN ('PROCESSED', 'FAIL'))
  ORDER BY ours.number, seen.seen_order DESC`

/** Lines whose deposit this console confirmed by another command. */
const CONFIRMED_HERE = sql`
  SELECT DISTINCT ours.number FROM ours JOIN command made ON made.target = ours.sought AND made.kind = 'deposit.confirm'
  WHERE ours.sought <> '' AND made.state IN ('done', 'applied') AND made.id IS DISTINCT FROM ours.command_id`

/**
 * Joins sets: with a subquery per line PostgreSQL estimates a cost so high that it JIT-compiles the query, which takes
 * seconds.
 */
const known = (statementId: string, number: number | null) => sql`
  WITH ours AS MATERIALIZED (
    SELECT line.*, own.taken_at
    FROM statement_line line JOIN statement own ON own.id = line.statement_id AND own.discarded_at IS NULL
    WHERE line.statement_id = ${statementId} AND ${number === null ? sql`true` : sql`line.number = ${number}`}),
  twins AS MATERIALIZED (
    ${inOtherStatement(sql`ours.sought <> '' AND twin.sought = ${number === null ? sql`ours.sought` : ONLY_SOUGHT}`)}
    UNION ${inOtherStatement(sql`twin.bank_key = ${number === null ? sql`ours.bank_key` : ONLY_BANK_KEY}`)}),
  earlier AS MATERIALIZED (
    SELECT DISTINCT twins.number FROM twins JOIN statement theirs ON theirs.id = twins.other_id
    WHERE theirs.discarded_at IS NULL AND (theirs.taken_at, theirs.id) < (twins.taken_at, twins.statement_id)),
  here AS MATERIALIZED (${CONFIRMED_HERE}),
  later AS MATERIALIZED (${SEEN_LATER})
  SELECT line.*, command.state AS command_state, command.outcome AS command_outcome, page.id AS page_id,
    bank.key IS NOT NULL AS bank_taken, deposit.key IS NOT NULL AS under_way,
    coalesce(later.state, line.found_state) AS present_state,
    line.verdict IN ('ready', 'mismatched') AND here.number IS NOT NULL AS confirmed_here,
    line.verdict IN ('ready', 'mismatched')
      AND (${number === null ? AFTER_OTHERS : AFTER_ANOTHER} OR earlier.number IS NOT NULL) AS is_later
  FROM ours line
  LEFT JOIN earlier ON earlier.number = line.number
  LEFT JOIN here ON here.number = line.number
  LEFT JOIN later ON later.number = line.number
  LEFT JOIN command ON command.id = line.command_id
  LEFT JOIN command_lock bank ON bank.key = line.bank_key AND bank.command_id IS DISTINCT FROM line.command_id
  LEFT JOIN command_lock deposit
    ON deposit.key = 'deposit:' || line.sought AND deposit.command_id IS DISTINCT FROM line.command_id
  LEFT JOIN command page ON page.id = bank.command_id AND ${CONFIRMED_ON_ITS_PAGE}`

/**
 * Lines with hold and status, from the current commands and locks. Of lines with the same reference or bank reference,
 * across statements, only the first can be ready. An edited line is never ready; an operator confirms it singly.
 */
export const judged = (statementId: string, number: number | null = null) => sql`
  (SELECT held.*,
    CASE
      WHEN command_state IN ('done', 'applied') THEN 'done'
      WHEN command_state IN ('awaiting_approval', 'sent', 'unknown', 'challenged', 'accepted') THEN 'open'
      WHEN set_aside_reason IS NOT NULL THEN 'set-aside'
      WHEN page_id IS NOT NULL AND NOT is_later THEN 'done'
      WHEN command_state IN ('refused', 'not_applied', 'closed') OR note IS NOT NULL THEN 'refused'
      WHEN hold IS NOT NULL AND hold <> 'moved' THEN 'mismatched'
      WHEN confirmed_here THEN 'elsewhere'
      WHEN verdict IN ('ready', 'mismatched') AND present_state IN ('PROCESSING', 'PROCESSED', 'DISPUTED') THEN 'elsewhere'
      WHEN hold IS NOT NULL THEN 'mismatched'
      WHEN verdict = 'ready' AND (sought_from <> 'field' OR bank_used <> bank_reference) THEN 'by-hand'
      ELSE verdict
    END AS status
  FROM (
    SELECT known.*,
      CASE
        WHEN verdict NOT IN ('ready', 'mismatched') THEN NULL
        WHEN verdict = 'ready' AND bank_key IS NULL THEN 'no-bank-reference'
        WHEN verdict = 'ready' AND bank_taken THEN 'bank-reference-taken'
        WHEN verdict = 'ready' AND under_way THEN 'deposit-under-way'
        WHEN is_later THEN 'other-line'
        WHEN verdict = 'ready' AND present_state <> 'QUEUED' THEN 'moved'
      END AS hold
    FROM (${known(statementId, number)}) known) held) judged`
