import 'server-only'
import { hash, randomUUID } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { type AuditSink, config } from '#lib/config/config.ts'
import { log } from '#lib/config/log.ts'
import { isFirstOf, perProcess } from '#lib/config/per-process.ts'
import { exchange } from '#lib/http/exchange.ts'
import { runPeriodically } from '#lib/store/periodic.ts'
import { databaseNow, store } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import { originOf } from './checkpoint.ts'
import { bodyOf, type EventRow, isErasable, leafWrittenWith, saltedFields } from './event.ts'
import { AlteredLog } from './proofs.ts'
import { endedChain, endedChainLeaf, logHead } from './sequencer.ts'
import { leafHash } from './tree.ts'
import { differingNode, leavesBetween } from './verify.ts'

const EVERY_MS = 1_000
const BUSY_MAX_MS = 20_000
const DEADLINE_MS = 60_000
const ANSWER_MS = 10_000
const WARN_EVERY_MS = 60_000
const PAUSE_MAX_MS = 60_000
/** Longer than a batch takes to read and deliver. */
const LEASE_SECONDS = 60
const ENTRIES_MAX = 500
const BATCH_MAX_BYTES = 1_000_000

export function startSink(): void {
  if (config().auditSink === null) return
  perProcess('audit sink', () =>
    runPeriodically(round, { everyMs: EVERY_MS, deadlineMs: DEADLINE_MS, onFailure: warn }),
  )
}

export async function deliverLast(): Promise<void> {
  await rounds().latest.catch(() => {})
  await round().catch(warn)
}

const rounds = () =>
  perProcess('audit sink rounds', () => ({ latest: Promise.resolve(), failures: 0, pauseUntilMs: 0 }))

function round(): Promise<void> {
  rounds().latest = deliverUnlessPaused()
  return rounds().latest
}

async function deliverUnlessPaused(): Promise<void> {
  if (performance.now() < rounds().pauseUntilMs) return
  try {
    await deliverEntries()
    rounds().failures = 0
  } catch (error) {
    rounds().failures += 1
    rounds().pauseUntilMs = performance.now() + pauseMs(rounds().failures)
    throw error
  }
}

export const pauseMs = (failures: number): number => Math.min(1_000 * 2 ** (failures - 1), PAUSE_MAX_MS)

/** Its message is logged, so it has no value, address or token. */
class NotDelivered extends Error {}

function warn(error: unknown): void {
  if (!isFirstOf('audit sink warning', '', WARN_EVERY_MS)) return
  const isKnown = error instanceof NotDelivered || error instanceof AlteredLog
  const why = isKnown ? error.message : 'the store cannot be reached, or it took too long'
  log().error({ event: 'audit-sink', why }, 'entries of the signed log are not delivered')
}

const targetOf = (sink: AuditSink): string => hash('sha256', sink.kind === 'file' ? `file:${sink.path}` : sink.url.href)

/** At least once, unless another delivery is under way. Throws {@link NotDelivered}, and {@link AlteredLog} at an altered entry. */
export async function deliverEntries(): Promise<void> {
  const { auditSink } = config()
  if (auditSink === null) return
  const db = await store()
  const lease = { target: targetOf(auditSink), holder: randomUUID() }
  const { size, next: from } = await progress(db, lease.target)
  if (size < from) throw new AlteredLog(`the log has ${size} entries, and ${from} were delivered`)
  if (size === from) return
  let next = await claim(db, lease)
  const busyUntilMs = performance.now() + BUSY_MAX_MS
  try {
    while (next !== null && next < size && performance.now() < busyUntilMs) {
      const lines = await readLines(db, next)
      if (lines.length === 0) throw new AlteredLog(`entry ${next} was altered`)
      await deliver(auditSink, `${lines.join('\n')}\n`)
      next = await advance(db, { ...lease, from: next, to: next + lines.length })
    }
  } finally {
    await release(db, lease).catch(() => {})
  }
}

async function progress(db: Kysely<Tables>, target: string): Promise<{ readonly size: number; readonly next: number }> {
  const { size, next_index } = await db
    .selectFrom('log_head')
    .leftJoin('log_sink', (join) => join.on('log_sink.target', '=', target))
    .select(['size', 'next_index'])
    .where('log_head.one', '=', 1)
    .executeTakeFirstOrThrow()
  return { size, next: next_index ?? 0 }
}

interface Lease {
  readonly target: string
  /** One delivery: a process may abandon it and begin another. */
  readonly holder: string
}

const leaseEnd = sql<number>`${databaseNow} + ${LEASE_SECONDS}`

/** Null if another delivery is under way. */
async function claim(db: Kysely<Tables>, { target, holder }: Lease): Promise<number | null> {
  const claimed = await db
    .insertInto('log_sink')
    .values({ target, holder, next_index: 0, held_until: leaseEnd })
    .onConflict((conflict) =>
      conflict
        .column('target')
        .doUpdateSet({ holder, held_until: leaseEnd })
        .where('log_sink.held_until', '<=', databaseNow),
    )
    .returning('next_index')
    .executeTakeFirst()
  return claimed?.next_index ?? null
}

async function advance(
  db: Kysely<Tables>,
  { target, holder, from, to }: Lease & { readonly from: number; readonly to: number },
): Promise<number | null> {
  const advanced = await db
    .updateTable('log_sink')
    .set({ next_index: to, held_until: leaseEnd })
    .where('target', '=', target)
    .where('holder', '=', holder)
    .where('next_index', '=', from)
    .returning('next_index')
    .executeTakeFirst()
  return advanced?.next_index ?? null
}

const release = (db: Kysely<Tables>, { target, holder }: Lease) =>
  db.updateTable('log_sink').set({ held_until: 0 }).where('target', '=', target).where('holder', '=', holder).execute()

/** JSON texts, from this index up to the first altered entry. */
async function readLines(db: Kysely<Tables>, from: number): Promise<readonly string[]> {
  const { size, checkpoint } = await logHead(db)
  const to = Math.min(size, from + ENTRIES_MAX)
  const places = await leavesBetween(db, from, to)
  const origin = originOf(checkpoint)
  const entries: { readonly leaf: string; readonly event: Pick<EventRow, 'body' | 'salts'> }[] = []
  if (from === 0) entries.push({ leaf: endedChainLeaf(await endedChain(db)), event: { body: '{}', salts: null } })
  for (let index = from + entries.length; index < to; index += 1) {
    const event = places.get(index)?.event ?? null
    const leaf = event && leafWrittenWith(event, config().auditKey)
    if (event === null || leaf === null) break
    entries.push({ leaf, event })
  }
  const hashes = entries.map(({ leaf }, at) => ({ level: 0, index: from + at, hash: leafHash(leaf) }))
  const genuine = entries.slice(0, ((await differingNode(db, hashes)) ?? to) - from)
  return withinBatch(
    genuine.map(({ leaf, event }, at) =>
      JSON.stringify({ log: origin, index: from + at, leaf: JSON.parse(leaf), fields: readableFields(event) }),
    ),
  )
}

/** Digests of texts without a salt, which could confirm a guess; and names of colleagues and their devices. */
const notSent: ReadonlySet<string> = new Set(['effect', 'seenFacts', 'assertion', 'passkey', 'holder', 'freed'])

const readableFields = (event: Pick<EventRow, 'body' | 'salts'>) =>
  bodyOf(
    [...saltedFields(event)].flatMap(([name, [, value]]) =>
      isErasable(name) || notSent.has(name) ? [] : [[name, value] as const],
    ),
  )

function withinBatch(lines: readonly string[]): readonly string[] {
  let bytes = 0
  const end = lines.findIndex((line, at) => {
    bytes += Buffer.byteLength(line) + 1
    return at > 0 && bytes > BATCH_MAX_BYTES
  })
  return end === -1 ? lines : lines.slice(0, end)
}

const deliver = (sink: AuditSink, lines: string): Promise<void> =>
  sink.kind === 'file' ? append(sink.path, lines) : post(sink, lines)

async function post({ url, token }: Extract<AuditSink, { kind: 'http' }>, body: string): Promise<void> {
  const headers = {
    'content-type': 'application/x-ndjson',
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
  }
  const sent = await exchange({ method: 'POST', url, headers, body, timeoutMs: ANSWER_MS, reuseConnection: false })
  if (sent.kind !== 'answer') throw new NotDelivered(`the sink gave no answer: ${sent.why}`)
  if (sent.status < 200 || sent.status > 299) throw new NotDelivered(`the sink answered ${sent.status}`)
}

async function append(path: string, lines: string): Promise<void> {
  try {
    const file = await open(path, 'a+', 0o600)
    try {
      await appendTo(file, path, lines)
    } finally {
      await file.close()
    }
  } catch (error) {
    if (error instanceof NotDelivered) throw error
    const { code } = error as NodeJS.ErrnoException
    throw new NotDelivered(`the file cannot be written: ${code}`, { cause: error })
  }
}

async function appendTo(file: FileHandle, path: string, lines: string): Promise<void> {
  const stat = await file.stat()
  if (!stat.isFile()) throw new NotDelivered('the path is not that of a file')
  const bytes = Buffer.from((await isCut(file, stat.size)) ? `\n${lines}` : lines)
  const { bytesWritten } = await file.write(bytes)
  if (bytesWritten < bytes.length) throw new NotDelivered('the file has no room')
  await file.datasync()
  if (stat.size === 0) await syncFolder(dirname(path))
}

async function isCut(file: FileHandle, size: number): Promise<boolean> {
  if (size === 0) return false
  const { buffer, bytesRead } = await file.read(Buffer.alloc(1), 0, 1, size - 1)
  return bytesRead === 1 && buffer.toString() !== '\n'
}

/** A new file must survive a power failure. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  await folder.sync().finally(() => folder.close())
}

/** `lagSeconds`: age of the oldest waiting entry; 0 if there is none. */
export async function sinkStatus(db: Kysely<Tables>) {
  const { auditSink } = config()
  if (auditSink === null) return null
  const { size, next: delivered } = await progress(db, targetOf(auditSink))
  if (size === delivered) return { waitingEntries: 0, lagSeconds: 0 }
  // Nothing is delivered of a log that was cut or set back.
  const next = size < delivered ? 0 : delivered
  const oldest = await db
    .selectFrom('log_leaf')
    .innerJoin('command_event', 'command_event.sequence', 'log_leaf.sequence')
    .select('at')
    .where('log_leaf.index', '>=', next)
    .orderBy('log_leaf.index')
    .limit(1)
    .executeTakeFirst()
  const ageMs = oldest === undefined ? 0 : Date.now() - Date.parse(oldest.at)
  return { waitingEntries: size - next, lagSeconds: Math.max(0, ageMs / 1000) }
}
