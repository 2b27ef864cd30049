import 'server-only'
import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely'
import { config } from '#lib/config/config.ts'
import { findFreed } from '#lib/deposits/by-hand.ts'
import type { Tables } from '#lib/store/tables.ts'
import type { LineHold, LineStatus } from './statement-view.ts'

export type JudgedLine = Selectable<Tables['statement_line']> & {
  readonly status: LineStatus
  readonly hold: LineHold | null
  readonly command_state: string | null
  readonly command_outcome: string | null
  readonly command_by: string | null
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
export const CONFIRMED_ON_ITS_PAGE = sql`
  line.verdict IN ('ready', 'mismatched') AND line.currency IN ('', 'BZD')
  AND page.kind = 'deposit.confirm' AND page.target = line.sought AND page.state IN ('done', 'applied')
  AND page.amount = line.amount::numeric
  AND NOT EXISTS (SELECT 1 FROM statement_line other JOIN statement theirs ON theirs.id = other.statement_id
    WHERE other.command_id = page.id AND theirs.discarded_at IS NULL)`

/** A state read after the lookup counts if that found QUEUED or the state is final. Unlike PENDING, BLOCKED may pass. */
const SEEN_LATER = sql`
  SELECT DISTINCT ON (ours.number) ours.number, seen.state FROM ours JOIN state_seen seen ON seen.reference = ours.sought
  WHERE seen.state <> ours.found_state AND (ours.found_state = 'QUEUED' OR seen.state IN ('PROCESSED', 'FAIL'))
    AND (seen.state IN ('PENDING', 'PROCESSING', 'PROCESSED', 'DISPUTED', 'FAIL')
      OR seen.first_seen_at >= left(ours.looked_at, 19))
  ORDER BY ours.number, seen.seen_order DESC`

/** Lines whose deposit this console confirmed by another command. */
const CONFIRMED_HERE = sql`
  SELECT DISTINCT ours.number FROM ours JOIN command made ON made.target = ours.sought AND made.kind = 'deposit.confirm'
  WHERE ours.sought <> '' AND made.state IN ('done', 'applied') AND made.id IS DISTINCT FROM ours.command_id`

/** Joins sets: with a subquery per line PostgreSQL JIT-compiles the query, which takes seconds. */
const known = (statementId: string | RawBuilder<unknown>, number: number | null) => sql`
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
  SELECT line.*, command.state AS command_state, command.outcome AS command_outcome,
    command.actor_name AS command_by, page.id AS page_id,
    bank.key IS NOT NULL AS bank_taken, bank.key IS NOT NULL AND again.id IS NULL AS bank_blocks,
    deposit.key IS NOT NULL AS under_way,
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
  LEFT JOIN command again ON again.id = bank.command_id AND again.state = 'not_applied'
    AND again.kind = 'deposit.confirm' AND again.target = line.sought
  LEFT JOIN command_lock deposit
    ON deposit.key = 'deposit:' || line.sought AND deposit.command_id IS DISTINCT FROM line.command_id
  LEFT JOIN command page ON page.id = bank.command_id AND ${CONFIRMED_ON_ITS_PAGE}`

/** Of a reference or bank reference only the first line is ready. In a lateral join, `statementId` is a column. */
export const judged = (statementId: string | RawBuilder<unknown>, number: number | null = null) => sql`
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
      WHEN verdict = 'ready' AND (sought_from NOT IN ('field', 'found') OR bank_used <> bank_reference) THEN 'by-hand'
      ELSE verdict
    END AS status
  FROM (
    SELECT known.*,
      CASE
        WHEN verdict NOT IN ('ready', 'mismatched') THEN NULL
        WHEN verdict = 'ready' AND bank_key IS NULL THEN 'no-bank-reference'
        WHEN verdict = 'ready' AND bank_blocks THEN 'bank-reference-taken'
        WHEN verdict = 'ready' AND under_way THEN 'deposit-under-way'
        WHEN is_later THEN 'other-line'
        WHEN verdict = 'ready' AND present_state <> 'QUEUED' THEN 'moved'
      END AS hold
    FROM (${known(statementId, number)}) known) held) judged`

interface LineConfirmation {
  readonly command_id: string | null
  readonly isPrepared: boolean
  readonly mayBeConfirmed: boolean
}

/** Whether the line's payment was confirmed or may have been: from the line, on its deposit's page, or elsewhere. */
export async function findConfirmation(
  db: Kysely<Tables>,
  statementId: string,
  number: number,
): Promise<LineConfirmation | undefined> {
  const { rows } = await sql<LineConfirmation>`
    SELECT command_id, command_state IN ('draft', 'awaiting_approval') IS TRUE AS "isPrepared",
      (command_state NOT IN ('draft', 'awaiting_approval', 'refused', 'closed')
      OR page_id IS NOT NULL OR bank_taken OR under_way OR present_state NOT IN ('QUEUED', 'FAIL')
      OR EXISTS (SELECT FROM command made WHERE made.target = sought AND sought <> '' AND made.kind = 'deposit.confirm'
        AND made.id IS DISTINCT FROM command_id AND made.state IN ('sent', 'unknown', 'accepted', 'done', 'applied'))
      ) IS TRUE AS "mayBeConfirmed"
    FROM ${judged(statementId, number)}`.execute(db)
  return rows[0]
}

export interface ShownLine extends JudgedLine {
  readonly edited_by: string | null
  readonly edited_at: string | null
  readonly sought_by: string | null
  readonly sought_at: string | null
  readonly bank_by: string | null
  readonly bank_at: string | null
  readonly is_apart: boolean
  readonly suggestions: string
  /** JSON of the first earlier line with the same value. */
  readonly same_reference: string | null
  readonly same_bank: string | null
  /** JSON of commands of any person. */
  readonly bank_holder: string | null
  readonly confirmation: string | null
  readonly seen_file: string | null
}

const AT_LINE = sql`'statementId', theirs.id, 'number', CASE WHEN theirs.id IS NOT NULL THEN twin.number END,
  'fileName', theirs.file_name`

const sameBefore = (same: RawBuilder<unknown>) => sql`
  (SELECT json_build_object(${AT_LINE})::text
    FROM statement_line twin JOIN statement theirs ON theirs.id = twin.statement_id AND theirs.discarded_at IS NULL
    WHERE ${same} AND twin.set_aside_reason IS NULL
      AND ((twin.statement_id = judged.statement_id AND twin.number < judged.number)
        OR (theirs.taken_at, theirs.id) < (judged.taken_at, judged.statement_id))
    ORDER BY theirs.taken_at, theirs.id, twin.number LIMIT 1)`

const BOUND_LINE = sql`
  LEFT JOIN statement_line twin ON twin.command_id = made.id
  LEFT JOIN statement theirs ON theirs.id = twin.statement_id AND theirs.discarded_at IS NULL`

const wasEntered = (found: boolean) => sql`EXISTS (SELECT FROM entered_reference entered
  WHERE entered.found = ${found} AND (entered.reference = judged.sought OR entered.bank_key = judged.bank_key))`

/** Whether the policy wants an approval or a passkey for a line. Limits are checked on sending. */
export async function apart(db: Kysely<Tables>): Promise<RawBuilder<boolean>> {
  const rules = config().policy.rules.filter(
    ({ kind, limit, approval, passkey }) =>
      kind === 'deposit.confirm' && limit === undefined && (approval !== undefined || passkey === true),
  )
  const freed = rules.some(({ when }) => when.freedByHand) ? await findFreed(db) : []
  const wasFreed = sql`EXISTS (SELECT FROM unnest(${freed.map(({ key }) => key)}::text[],
    ${freed.map(({ target }) => target)}::text[]) AS freed (key, target)
    WHERE freed.key = judged.bank_key AND freed.target <> judged.sought)`
  const applies = rules.map(({ when }) => {
    const conditions = [
      sql`judged.amount::numeric >= ${when.amountAtLeast ?? '0'}::numeric`,
      ...(when.enteredByHand ? [wasEntered(false)] : []),
      ...(when.foundInText ? [wasEntered(true)] : []),
      ...(when.freedByHand ? [wasFreed] : []),
    ]
    return sql`(${sql.join(conditions, sql` AND `)})`
  })
  return sql`(${sql.join([sql`false`, ...applies], sql` OR `)})`
}

const shown = (isApart: RawBuilder<boolean>) => sql`
  SELECT judged.*, ${isApart} AS is_apart, edit.actor_name AS edited_by, edit.created_at AS edited_at,
    sought_edit.actor_name AS sought_by, sought_edit.created_at AS sought_at,
    bank_edit.actor_name AS bank_by, bank_edit.created_at AS bank_at, seen_in.file_name AS seen_file,
    (SELECT coalesce(json_agg(json_build_object('reference', suggestion.reference, 'foundIn', found_in, 'state', state,
        'debit', debit, 'paidBefore', CASE WHEN found_in = 'payer' THEN
          json_build_object('count', paid_count, 'last', paid_last) END) ORDER BY suggestion.reference), '[]')::text
      FROM statement_suggestion suggestion
      WHERE suggestion.statement_id = judged.statement_id AND suggestion.number = judged.number) AS suggestions,
    ${sameBefore(sql`twin.sought = judged.sought AND judged.sought <> ''`)} AS same_reference,
    ${sameBefore(sql`twin.bank_key = judged.bank_key`)} AS same_bank,
    (SELECT json_build_object('commandId', made.id, 'by', made.actor_name, 'at', made.settled_at, ${AT_LINE})::text
      FROM command_lock JOIN command made ON made.id = command_lock.command_id ${BOUND_LINE}
      WHERE command_lock.key = judged.bank_key AND made.id IS DISTINCT FROM judged.command_id LIMIT 1) AS bank_holder,
    (SELECT json_build_object('commandId', made.id, 'by', made.actor_name, 'at', made.settled_at, 'outcome', made.outcome,
        ${AT_LINE})::text
      FROM command made ${BOUND_LINE}
      WHERE made.kind = 'deposit.confirm' AND made.target = judged.sought AND judged.sought <> ''
        AND made.state IN ('done', 'applied') ORDER BY made.created_at LIMIT 1) AS confirmation`

const details = sql`
  LEFT JOIN command edit ON edit.id = edit_id
  LEFT JOIN command sought_edit ON sought_edit.id = sought_edit_id
  LEFT JOIN command bank_edit ON bank_edit.id = bank_edit_id
  LEFT JOIN statement seen_in ON seen_in.id = seen_statement AND seen_in.discarded_at IS NULL`

/** Null: every status. Pages from 1. */
export async function listLines(
  db: Kysely<Tables>,
  statementId: string,
  { status, page, size }: { readonly status: LineStatus | null; readonly page: number; readonly size: number },
): Promise<ShownLine[]> {
  const { rows } = await sql<ShownLine>`
    ${shown(await apart(db))} FROM
      (SELECT * FROM ${judged(statementId)} WHERE ${status}::text IS NULL OR status = ${status}
        ORDER BY number LIMIT ${size} OFFSET ${(page - 1) * size}) judged ${details}
    ORDER BY number`.execute(db)
  return rows
}

export async function findLine(
  db: Kysely<Tables>,
  statementId: string,
  number: number,
): Promise<ShownLine | undefined> {
  const { rows } = await sql<ShownLine>`
    ${shown(await apart(db))} FROM ${judged(statementId, number)} ${details}`.execute(db)
  return rows[0]
}
