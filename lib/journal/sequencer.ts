import 'server-only'
import type { KeyObject } from 'node:crypto'
import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely'
import { config } from '#lib/config/config.ts'
import { log, markWritten } from '#lib/config/log.ts'
import { isFirstOf, perProcess } from '#lib/config/per-process.ts'
import { PREPARED } from '#lib/database/open.ts'
import { runPeriodically } from '#lib/store/periodic.ts'
import { databaseNow, inTransaction, store } from '#lib/store/store.ts'
import type { Tables, Trx } from '#lib/store/tables.ts'
import { meters } from '#lib/telemetry/spans.ts'
import { isSignedCheckpoint, originOf, readCheckpoint, signCheckpoint } from './checkpoint.ts'
import { leafWrittenWith, macOf, newSalts, wellFormed } from './event.ts'
import { AlteredLog, treeAt } from './proofs.ts'
import { EMPTY_TREE, growTree, leafHash, rootOf, type Tree } from './tree.ts'

export interface NewEvent {
  readonly commandId: string | null
  readonly at: string
  readonly state: string
  readonly actor: string
  /** Never contains a card number, code, password or token. */
  readonly body: Readonly<Record<string, unknown>>
  readonly moved: boolean
  /** Drawn by {@link nextSequence} while the command was locked. */
  readonly sequence?: number
}

/** In a statement that locks the command anyway, to spare one. */
export const nextSequence = sql<number>`nextval('command_event_sequence')`

type Sequenced = NewEvent & { readonly sequence: number }

type Pending = NewEvent | ((trx: Trx) => Promise<NewEvent>)

interface EventsOfTransaction {
  readonly pending: Pending[]
  readonly written: NewEvent[]
}

/** Per process, because kinds and the endpoint are in different bundles. */
const eventsByTransaction = () => perProcess('pending events', () => new WeakMap<Trx, EventsOfTransaction>())

function eventsOf(trx: Trx): EventsOfTransaction {
  const events = eventsByTransaction().get(trx)
  if (events === undefined) throw new Error('an event outside a transaction of the journal')
  return events
}

/** Lock order everywhere: `command_lock` by key, commands, then the console's records. */
export async function inJournal<Result>(db: Kysely<Tables>, work: (trx: Trx) => Promise<Result>): Promise<Result> {
  const { result, written } = await inTransaction(db, async (trx) => {
    const { pending, written } = { pending: [], written: [] } as EventsOfTransaction
    eventsByTransaction().set(trx, { pending, written })
    const result = await work(trx)
    if (pending.length > 0) written.push(...(await writeEvents(trx, pending)))
    return { result, written }
  })
  if (written.length > 0) markWritten()
  count(written)
  return result
}

/** After the commit: a rollback or retry must not be counted. */
function count(events: readonly NewEvent[]): void {
  for (const event of events) {
    if (!event.moved) continue
    const [kind, denial] = [String(event.body.kind), String(event.body.denial)]
    meters().command(kind, event.state)
    if (isDenial(denial)) meters().denial(kind, denial)
  }
}

/** Writes at the end of the transaction, while the command is locked. Throws outside {@link inJournal}. */
export function appendEvent(trx: Trx, event: Pending): void {
  eventsOf(trx).pending.push(event)
}

/** For a statement with a CTE named `moved`: writes the event if that has a row. {@link countWritten} is called then. */
export function eventOfMoved(event: Sequenced): RawBuilder<unknown> {
  const { sequence, command_id, at, state, actor, body, salts, mac } = rowOf(event)
  return sql`
    event AS (INSERT INTO command_event (sequence, command_id, at, state, actor, body, salts, mac)
      SELECT ${sequence}::bigint, ${command_id}, ${at}, ${state}, ${actor}, ${body}, ${salts}, ${mac} FROM moved),
    waiting AS (INSERT INTO log_pending (sequence) SELECT ${sequence}::bigint FROM moved)`
}

/** Throws outside {@link inJournal}. */
export function countWritten(trx: Trx, event: NewEvent): void {
  eventsOf(trx).written.push(event)
}

async function writeEvents(trx: Trx, pending: readonly Pending[]): Promise<readonly NewEvent[]> {
  const events: NewEvent[] = []
  for (const event of pending) events.push(typeof event === 'function' ? await event(trx) : event)
  // While the commands are locked, so the events of one command are in order.
  await insertEvents(trx, events)
  return events
}

/** Of what no command did. Returns their sequence numbers. */
export const logEvents = (
  trx: Trx,
  events: readonly Omit<NewEvent, 'commandId' | 'moved'>[],
): Promise<readonly number[]> =>
  insertEvents(
    trx,
    events.map((event) => ({ ...event, commandId: null, moved: false })),
  )

/** The key never leaves this process. */
async function insertEvents(trx: Trx, events: readonly NewEvent[]): Promise<readonly number[]> {
  const drawn = events.flatMap(({ sequence }) => sequence ?? [])
  const inOrder = drawn.length === events.length && drawn.every((one, at) => at === 0 || one > (drawn[at - 1] ?? 0))
  const sequences = inOrder ? drawn : await drawSequences(trx, events.length)
  const rows = events.map((event, place) => rowOf({ ...event, sequence: sequences[place] ?? 0 }))
  await trx
    .with('written', (cte) => cte.insertInto('command_event').values(rows))
    .insertInto('log_pending')
    .values(rows.map(({ sequence }) => ({ sequence })))
    .$if(rows.length === 1, (insert) => insert.modifyEnd(PREPARED))
    .execute()
  return sequences
}

function rowOf({ sequence, commandId, body, at, state, actor }: Sequenced) {
  const text = JSON.stringify(body, wellFormed)
  const event = { sequence, command_id: commandId, at, state, actor, body: text, previous_mac: null }
  const written = { ...event, salts: newSalts(body) }
  return { ...written, mac: macOf(written, config().auditKey) }
}

async function drawSequences(trx: Trx, count: number): Promise<readonly number[]> {
  const { rows } = await sql<{ next: number }>`
    SELECT ${nextSequence} AS next FROM generate_series(1, ${count}::integer)`.execute(trx)
  return rows.map(({ next }) => next)
}

/** Names in the journal and the metrics. */
export const denials = ['limit', 'policy-changed', 'effect-differs', 'approval-missing', 'passkey-missing'] as const

export type Denial = (typeof denials)[number]

const isDenial = (name: string): name is Denial => denials.some((denial) => denial === name)

const EVERY_MS = 500
const DEADLINE_MS = 10_000
const LATE_SECONDS = 10
const WARN_EVERY_MS = 60_000
const BATCH_MAX = 2_000

export function startSequencer(): void {
  perProcess('sequencer', () => runPeriodically(round, { everyMs: EVERY_MS, deadlineMs: DEADLINE_MS, onFailure: warn }))
}

async function round(): Promise<void> {
  await sequenceAll()
  const { oldestSeconds } = await waitingEvents(await store())
  if (oldestSeconds > LATE_SECONDS) warn(new LateEvent(`an event has waited for ${Math.round(oldestSeconds)} s`))
}

class LateEvent extends Error {}

function warn(error: unknown): void {
  if (!isFirstOf('journal warning', '', WARN_EVERY_MS)) return
  const isKnown = error instanceof LateEvent || error instanceof AlteredLog
  const why = isKnown ? error.message : 'the store cannot be reached'
  log().error({ event: 'journal-late', why }, 'new events have no place in the signed log')
}

/** At a start: throws if this is the log of other keys or names, and rechecks what a process with another key refused. */
export async function prepareLog(): Promise<void> {
  await inTransaction(await store(), async (trx) => {
    const origin = originOf((await logHead(trx)).checkpoint)
    const { logOrigin, isLogNamed, logKeys } = config()
    if (!isLogNamed && origin !== '' && origin !== logOrigin)
      throw new Error(`NEXTAUTH_URL has changed and would rename the signed log. Set LOG_ORIGIN=${origin}`)
    if (!(await isLogSignedWith(trx, logKeys)))
      throw new AlteredLog('the latest checkpoint of the log was not signed with this LOG_KEY')
    await assertAuditKey(trx)
    await trx.updateTable('log_pending').set({ refused: false }).where('refused', '=', true).execute()
  })
}

async function assertAuditKey(db: Kysely<Tables>): Promise<void> {
  if (!(await isLogWrittenWith(db, config().auditKey)))
    throw new AlteredLog('the latest events of the log were not written with this AUDIT_KEY')
}

export async function isLogSignedWith(db: Kysely<Tables>, logKeys: readonly KeyObject[]): Promise<boolean> {
  const { size, checkpoint: note } = await logHead(db)
  const checkpoint = readCheckpoint(note)
  return size === 0 || (checkpoint !== null && isSignedCheckpoint(note, checkpoint, logKeys))
}

/** Not only the latest event, because that one may have been altered. */
const LATEST = 10

export async function isLogWrittenWith(db: Kysely<Tables>, auditKey: Buffer): Promise<boolean> {
  const latest = await db
    .selectFrom('log_leaf')
    .innerJoin('command_event', 'command_event.sequence', 'log_leaf.sequence')
    .selectAll('command_event')
    .orderBy('index', 'desc')
    .limit(LATEST)
    .execute()
  return latest.length === 0 || latest.some((event) => leafWrittenWith(event, auditKey) !== null)
}

export async function sequenceAll(): Promise<void> {
  const db = await store()
  while ((await sequenceEvents(db)) === BATCH_MAX);
}

/** Places waiting events and signs the tree, one process at a time. Returns how many it read; 0 if another is at it. */
export async function sequenceEvents(db: Kysely<Tables>): Promise<number> {
  if ((await logHead(db)).size > 0 && (await waitingEvents(db)).count === 0) return 0
  return await inTransaction(db, async (trx) => {
    const head = await trx.selectFrom('log_head').selectAll().forUpdate().skipLocked().executeTakeFirst()
    if (head === undefined) return 0
    if (head.conflict !== '') throw new AlteredLog('the witness confirmed another log')
    const tree = await readTree(trx, head)
    await assertAuditKey(trx)
    const waiting = await trx
      .selectFrom('log_pending')
      .innerJoin('command_event', 'command_event.sequence', 'log_pending.sequence')
      .selectAll('command_event')
      .where('refused', '=', false)
      .orderBy('log_pending.sequence')
      .limit(BATCH_MAX)
      .execute()
    const { auditKey } = config()
    const read = waiting.map((event) => ({ ...event, leaf: leafWrittenWith(event, auditKey) }))
    await refuse(
      trx,
      read.flatMap(({ leaf, sequence }) => (leaf === null ? [sequence] : [])),
    )
    const genuine = read.flatMap(({ leaf, sequence }) => (leaf === null ? [] : [{ leaf, sequence }]))
    if (genuine.length > 0 || head.size === 0) await grow(trx, tree, genuine)
    return waiting.length
  })
}

async function refuse(trx: Trx, forged: readonly number[]): Promise<void> {
  if (forged.length === 0) return
  log().error({ event: 'journal-forged', sequences: forged.slice(0, 20) }, 'events that this console did not write')
  await trx.updateTable('log_pending').set({ refused: true }).where('sequence', 'in', forged).execute()
}

interface Placed {
  readonly sequence: number
  readonly leaf: string
}

async function grow(trx: Trx, before: Tree, events: readonly Placed[]): Promise<void> {
  const { size } = before
  const first = size === 0 ? [endedChainLeaf(await endedChain(trx))] : []
  const leaves = [...first, ...events.map(({ leaf }) => leaf)]
  const { tree, nodes } = growTree(before, leaves.map(leafHash))
  const root = rootOf(tree)
  const sequences = [...first.map(() => null), ...events.map(({ sequence }) => sequence)]
  await trx
    .insertInto('log_leaf')
    .values(sequences.map((sequence, place) => ({ index: size + place, sequence })))
    .execute()
  await trx.insertInto('log_node').values(nodes).execute()
  await trx
    .deleteFrom('log_pending')
    .where('sequence', '=', sql<number>`ANY(${events.map(({ sequence }) => sequence)}::bigint[])`)
    .execute()
  const { logOrigin: origin, logKeys } = config()
  const checkpoint = signCheckpoint({ origin, size: tree.size, root }, logKeys)
  await trx
    .updateTable('log_head')
    .set({ size: tree.size, root, checkpoint, at: new Date().toISOString() })
    .where('one', '=', 1)
    .execute()
}

export interface EndedChain {
  readonly sequence: number
  readonly mac: string
}

export const endedChainLeaf = ({ sequence, mac }: EndedChain): string =>
  JSON.stringify({ chain: { events: sequence, mac }, v: 1 })

export const endedChain = (db: Kysely<Tables>): Promise<EndedChain> =>
  db.selectFrom('ended_chain').select(['sequence', 'mac']).where('one', '=', 1).executeTakeFirstOrThrow()

type Head = Pick<Selectable<Tables['log_head']>, 'size' | 'root' | 'checkpoint'>

/** Throws if it is not the tree that was signed, so that none is signed that grew from another. */
async function readTree(db: Kysely<Tables>, { size, root, checkpoint }: Head): Promise<Tree> {
  if (size === 0) return EMPTY_TREE
  const isSigned = isSignedCheckpoint(checkpoint, { origin: originOf(checkpoint), size, root }, config().logKeys)
  if (!isSigned) throw new AlteredLog('its checkpoint is not signed with LOG_KEY')
  const tree = await treeAt(db, size)
  if (rootOf(tree) !== root) throw new AlteredLog('its hashes are not those signed')
  return tree
}

/** `oldestSeconds`: also of refused events; 0 if there are none. */
export async function waitingEvents(db: Kysely<Tables>) {
  const { count, now, since } = await db
    .selectFrom('log_pending')
    .select(({ fn }) => [
      fn.countAll<number>().filterWhere('refused', '=', false).as('count'),
      databaseNow.as('now'),
      fn.min<number | null>('since').as('since'),
    ])
    .executeTakeFirstOrThrow()
  return { count: Number(count), oldestSeconds: since === null ? 0 : Math.max(0, now - since) }
}

/** A store that was cut or set back differs from an earlier line. */
export async function printJournalEnd(): Promise<void> {
  const { size, root } = await logHead(await store())
  log().info({ event: 'journal-end', size, root })
}

/** For the end of the process. */
export async function placeAndPrint(): Promise<void> {
  await sequenceAll().catch(warn)
  await printJournalEnd()
}

export const logHead = (db: Kysely<Tables>) =>
  db.selectFrom('log_head').selectAll().where('one', '=', 1).executeTakeFirstOrThrow()
