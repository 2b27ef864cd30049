import 'server-only'
import type { KeyObject } from 'node:crypto'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { CosignerKey } from '#lib/config/keys.ts'
import type { Tables } from '#lib/store/tables.ts'
import {
  type Checkpoint,
  cosignedAt,
  isCosignedByOther,
  isSignedCheckpoint,
  originOf,
  readCheckpoint,
} from './checkpoint.ts'
import { type EventRow, erasedBy, erasedIn, isWrittenWith, leafWrittenWith } from './event.ts'
import { rootAt } from './proofs.ts'
import { type EndedChain, endedChain, endedChainLeaf, logHead } from './sequencer.ts'
import { EMPTY_TREE, growTree, leafHash, rootOf, type TreeNode } from './tree.ts'

interface JournalFault {
  readonly sequence: number
  readonly what: string
}

interface JournalKeys {
  readonly auditKey: Buffer
  readonly logKeys: readonly KeyObject[]
  readonly witness: { readonly publicKey: CosignerKey } | null
}

export const FAULTS_MAX = 20

/** Also finds commands unlike their latest event, and another tree than was signed. `root`: hexadecimal. */
export async function verifyJournal(db: Kysely<Tables>, keys: JournalKeys, chunk = 10_000) {
  const faults: JournalFault[] = []
  const chain = await endedChain(db)
  const part: Part = { key: keys.auditKey, chain, faults, chunk }
  await verifyChain(db, part)
  const head = await logHead(db)
  const { size } = head
  const root = faults.length >= FAULTS_MAX ? null : await verifyLog(db, { ...part, size })
  const last = chain.sequence + Math.max(0, size - 1)
  const checkpoint = { origin: originOf(head.checkpoint), size, root: head.root }
  if (size > 0 && root !== null && root !== head.root)
    faults.push({ sequence: last, what: 'is not the end that was signed' })
  if (size > 0 && !isSignedCheckpoint(head.checkpoint, checkpoint, keys.logKeys))
    faults.push({ sequence: last, what: 'has no checkpoint signed with LOG_KEY' })
  if (root !== null) faults.push(...(await unlikeTheWitness(db, head, keys)))
  faults.push(...(await eventsOutsideTheLog(db)))
  for (const id of await commandsBesideTheirEvents(db))
    faults.push({ sequence: last, what: `command ${id} is not in the state of its latest event` })
  faults.push(...(await entriesBesideTheirEvents(db, chunk)))
  for (const id of await entriesWithoutEvent(db))
    faults.push({ sequence: last, what: `audit entry ${id} has no event` })
  return { events: last, entries: size, root: head.root, faults: faults.slice(0, FAULTS_MAX) }
}

interface Part {
  readonly key: Buffer
  readonly chain: EndedChain
  readonly faults: JournalFault[]
  readonly chunk: number
}

/** Each event has the MAC of the one before it. */
async function verifyChain(db: Kysely<Tables>, { key, chain, faults, chunk }: Part): Promise<void> {
  let [sequence, previous] = [0, '']
  for (;;) {
    const events = await db
      .selectFrom('command_event')
      .selectAll()
      .where('salts', 'is', null)
      .where('sequence', '>', sequence)
      .orderBy('sequence')
      .limit(chunk)
      .execute()
    for (const event of events) {
      if (event.sequence !== sequence + 1)
        faults.push({ sequence: sequence + 1, what: gapWords(sequence, event.sequence) })
      if (event.previous_mac !== previous)
        faults.push({ sequence: event.sequence, what: 'does not follow the event before it' })
      if (!isWrittenWith(event, key)) faults.push({ sequence: event.sequence, what: CHANGED })
      sequence = event.sequence
      previous = event.mac
      if (faults.length >= FAULTS_MAX) return
    }
    if (events.length < chunk) break
  }
  if (chain.sequence !== sequence || chain.mac !== previous)
    faults.push({
      sequence: chain.sequence,
      what: `is the recorded end of the chain, but its last event is ${sequence}`,
    })
}

const CHANGED = 'was changed after it was written'
const FORGED = 'was not written by this console'

const gapWords = (last: number, next: number): string =>
  next === last + 2 ? 'is missing' : `to ${next - 1} are missing`

/** Recomputes the tree and compares every hash. Returns its root; null after a fault. */
async function verifyLog(
  db: Kysely<Tables>,
  { key, size, chain, faults, chunk }: Part & { readonly size: number },
): Promise<string | null> {
  let tree = EMPTY_TREE
  const erasures = new Erasures()
  while (tree.size < size) {
    const to = Math.min(size, tree.size + chunk)
    const places = await leavesBetween(db, tree.size, to)
    const leaves: string[] = []
    for (let index = tree.size; index < to; index += 1) {
      const place = places.get(index)
      const event = place?.event ?? null
      const leaf = index === 0 ? endedChainLeaf(chain) : event && leafWrittenWith(event, key)
      if (leaf !== null) leaves.push(leaf)
      else faults.push({ sequence: place?.sequence ?? index, what: event === null ? 'is missing' : CHANGED })
      if (index > 0 && event !== null && leaf !== null) erasures.read(event)
      if (faults.length >= FAULTS_MAX) return null
    }
    if (leaves.length !== to - tree.size) return null
    const grown = growTree(tree, leaves.map(leafHash))
    const differing = await differingNode(db, grown.nodes)
    if (differing !== null) {
      faults.push({
        sequence: places.get(differing)?.sequence ?? differing,
        what: 'has another hash in the signed log',
      })
      return null
    }
    tree = grown.tree
  }
  for (const event of await laterEvents(db, size)) {
    if (leafWrittenWith(event, key) !== null) erasures.read(event)
    else faults.push({ sequence: event.sequence, what: FORGED })
  }
  const sequences = erasures.unexplained().slice(0, FAULTS_MAX)
  faults.push(...sequences.map((sequence) => ({ sequence, what: 'lacks a field that no later event erased' })))
  return rootOf(tree)
}

/** Fields that are not there any more need a later event that says so. */
class Erasures {
  readonly #missing = new Map<number, Set<string>>()

  read(event: EventRow): void {
    const missing = Object.keys(erasedIn(event))
    if (missing.length > 0) this.#missing.set(event.sequence, new Set(missing))
    for (const [sequence, names] of Object.entries(erasedBy(event))) {
      const left = this.#missing.get(Number(sequence))
      for (const name of names) left?.delete(name)
      if (left?.size === 0) this.#missing.delete(Number(sequence))
    }
  }

  unexplained(): readonly number[] {
    return [...this.#missing.keys()]
  }
}

/** Without a place yet, or with one after those checked. */
const laterEvents = (db: Kysely<Tables>, size: number): Promise<EventRow[]> =>
  db
    .selectFrom('command_event')
    .selectAll()
    .where('sequence', 'in', ({ selectFrom }) =>
      selectFrom('log_pending')
        .select('sequence')
        .where('refused', '=', false)
        .union(selectFrom('log_leaf').select(sql<number>`sequence`.as('sequence')).where('index', '>=', size)),
    )
    .orderBy('sequence')
    .execute()

/** What the witness confirmed is an earlier state of this log. Once it was given up, LOG_KEY may have changed. */
async function unlikeTheWitness(
  db: Kysely<Tables>,
  { size, cosigned, conflict }: Pick<Selectable<Tables['log_head']>, 'size' | 'cosigned' | 'conflict'>,
  { logKeys, witness }: JournalKeys,
): Promise<readonly JournalFault[]> {
  const faults: JournalFault[] = []
  for (const note of [cosigned, conflict].filter((given) => given !== '')) {
    const confirmed = readCheckpoint(note)
    const isSigned = confirmed !== null && (witness === null || isSignedCheckpoint(note, confirmed, logKeys))
    if (!isSigned || !(witness === null || isCosignedBy(note, confirmed, witness.publicKey)))
      faults.push({ sequence: size, what: 'has an altered confirmation by the witness' })
    else if (confirmed.size > size || (await rootAt(db, confirmed.size)) !== confirmed.root)
      faults.push({
        sequence: confirmed.size,
        what: 'is the end of a log that the witness confirmed and that is not here',
      })
  }
  return faults
}

const isCosignedBy = (note: string, confirmed: Checkpoint, key: CosignerKey): boolean =>
  cosignedAt(note, confirmed, key) !== null || isCosignedByOther(note, confirmed, key)

interface Place {
  readonly sequence: number | null
  readonly event: EventRow | null
}

export async function leavesBetween(db: Kysely<Tables>, from: number, to: number): Promise<ReadonlyMap<number, Place>> {
  const rows = await db
    .selectFrom('log_leaf')
    .leftJoin('command_event', 'command_event.sequence', 'log_leaf.sequence')
    .selectAll('command_event')
    .select(['log_leaf.index', 'log_leaf.sequence as place'])
    .where('log_leaf.index', '>=', from)
    .where('log_leaf.index', '<', to)
    .execute()
  return new Map(
    rows.map(
      ({ index, place, ...event }) => [index, { sequence: place, event: isWhole(event) ? event : null }] as const,
    ),
  )
}

type Joined = { readonly [Column in keyof EventRow]: EventRow[Column] | null }

const isWhole = (event: Joined): event is EventRow => event.sequence !== null

/** The first leaf below a stored hash that differs, or null. */
export async function differingNode(db: Kysely<Tables>, nodes: readonly TreeNode[]): Promise<number | null> {
  const stored = new Map<string, string>()
  for (const [level, of] of Map.groupBy(nodes, (node) => node.level)) {
    const rows = await db
      .selectFrom('log_node')
      .select(['index', 'hash'])
      .where('level', '=', level)
      .where('index', '>=', of[0]?.index ?? 0)
      .where('index', '<=', of.at(-1)?.index ?? 0)
      .execute()
    for (const { index, hash } of rows) stored.set(`${level} ${index}`, hash)
  }
  const wrong = nodes.find(({ level, index, hash }) => stored.get(`${level} ${index}`) !== hash)
  return wrong === undefined ? null : wrong.index * 2 ** wrong.level
}

/** One query sees events, leaves and what waits together. */
async function eventsOutsideTheLog(db: Kysely<Tables>): Promise<readonly JournalFault[]> {
  const { rows } = await sql<{ sequence: number; refused: boolean | null }>`
    SELECT event.sequence, refused FROM command_event AS event
    LEFT JOIN log_leaf AS leaf ON leaf.sequence = event.sequence AND leaf.index BETWEEN 1 AND (SELECT size FROM log_head) - 1
    LEFT JOIN log_pending AS waiting ON waiting.sequence = event.sequence
    WHERE leaf.sequence IS NULL AND coalesce(refused, true)
      AND (event.salts IS NOT NULL OR event.sequence NOT BETWEEN 1 AND (SELECT sequence FROM ended_chain))
    ORDER BY event.sequence LIMIT ${FAULTS_MAX}`.execute(db)
  return rows.map(({ sequence, refused }) => ({
    sequence,
    what: refused === null ? 'has no place in the signed log' : FORGED,
  }))
}

/** The audit trail is a copy. */
async function entriesBesideTheirEvents(db: Kysely<Tables>, chunk: number): Promise<readonly JournalFault[]> {
  const { rows: alone } = await sql<{ sequence: number }>`
    SELECT sequence FROM command_event AS event
    WHERE command_id IS NULL AND starts_with(body, '{"entry":') AND coalesce(erased, '') NOT LIKE '%"%'
      AND NOT EXISTS (SELECT 1 FROM audit_entry WHERE audit_entry.sequence = event.sequence)
    ORDER BY sequence LIMIT ${FAULTS_MAX}`.execute(db)
  const sequences = alone.map(({ sequence }) => sequence)
  let after: string | null = null
  for (let read = chunk; read === chunk && sequences.length < FAULTS_MAX; ) {
    const entries = await db
      .selectFrom('audit_entry')
      .leftJoin('command_event as event', 'event.sequence', 'audit_entry.sequence')
      .selectAll('audit_entry')
      .select(['event.body', 'event.at as written_at', 'event.state', 'event.actor as written_by'])
      .where('audit_entry.sequence', 'is not', null)
      .where('audit_entry.id', after === null ? '>=' : '>', after ?? '')
      .orderBy('audit_entry.id')
      .limit(chunk)
      .execute()
    sequences.push(...entries.flatMap((entry) => (isAsWritten(entry) ? [] : [entry.sequence ?? 0])))
    after = entries.at(-1)?.id ?? ''
    read = entries.length
  }
  return sequences.map((sequence) => ({ sequence, what: 'is not as in the audit trail' }))
}

/** The earliest are from before the log. */
async function entriesWithoutEvent(db: Kysely<Tables>): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM audit_entry WHERE sequence IS NULL
      AND at >= (SELECT min(at) FROM audit_entry WHERE sequence IS NOT NULL)
    ORDER BY id LIMIT ${FAULTS_MAX}`.execute(db)
  return rows.map(({ id }) => id)
}

type WithEvent = Selectable<Tables['audit_entry']> &
  Readonly<Record<'body' | 'written_at' | 'state' | 'written_by', string | null>>

function isAsWritten({ body, written_at, state, written_by, ...entry }: WithEvent): boolean {
  if (written_at !== entry.at || state !== entry.kind || written_by !== entry.actor) return false
  try {
    const { entry: id, actorName, method, about, facts } = JSON.parse(body ?? '')
    const written = JSON.stringify([id, actorName, method, about, JSON.stringify(facts)])
    return written === JSON.stringify([entry.id, entry.actor_name, entry.method, entry.about, entry.facts])
  } catch {
    return false
  }
}

async function commandsBesideTheirEvents(db: Kysely<Tables>): Promise<readonly string[]> {
  const rows = await db
    .with('latest', (cte) =>
      cte
        .selectFrom('command_event')
        .distinctOn('command_id')
        .select(['command_id', 'state'])
        .orderBy('command_id')
        .orderBy('sequence', 'desc'),
    )
    .selectFrom('command')
    .leftJoin('latest', 'latest.command_id', 'command.id')
    .select('command.id')
    .where((where) =>
      where.or([where('latest.state', 'is', null), where('latest.state', '!=', where.ref('command.state'))]),
    )
    .orderBy('command.id')
    .limit(FAULTS_MAX)
    .execute()
  return rows.map(({ id }) => id)
}
