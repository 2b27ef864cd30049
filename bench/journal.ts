import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { type Kysely, sql } from 'kysely'
import { exportEvidence } from '#lib/commands/evidence.ts'
import { registerKinds } from '#lib/commands/kind.ts'
import { appendNote, insertDraft } from '#lib/commands/store.ts'
import type { Config } from '#lib/config/config.ts'
import { open } from '#lib/database/open.ts'
import { newTestDatabase } from '#lib/database/test-postgres.ts'
import { verifierKey } from '#lib/journal/checkpoint.ts'
import { consistencyProof, inclusionProof } from '#lib/journal/proofs.ts'
import { inJournal, sequenceEvents } from '#lib/journal/sequencer.ts'
import { EMPTY_TREE, growTree, leafHash, type TreeNode } from '#lib/journal/tree.ts'
import { verifyJournal } from '#lib/journal/verify.ts'
import { kinds } from '#lib/kinds.ts'
import type { Session } from '#lib/session/session.ts'
import { migrate, store } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import { configureForTest } from '#lib/testing/test-console.ts'
import { verifyDossier } from '../tools/verify-dossier.mjs'
import { delayingProxy } from './delaying-proxy.ts'
import { atMost, handOver, type Row, told } from './hand-over.ts'
import type { JournalOrder } from './journal-worker.ts'
import { median } from './measure.ts'
import { print } from './print.ts'
import { Programs } from './programs.ts'

const PROCESSES = 2
const OPERATORS = 50
const FOR_MS = 5_000
const ROUNDS = 3
/** A database in the next room: on this very machine its answers take no time that somebody could lose by waiting for them. */
const AWAY_MS = [0, 1]

interface Round {
  readonly perSecond: number
  readonly median: number
}

/**
 * `npm run bench -- journal [FOLDER]`: changes a second by 50 operators in two processes on one PostgreSQL; the time to check
 * 100,000 events, and for a proof over 1,000,000. The code of FOLDER, another checkout, takes turns with this one's.
 */
async function bench(other: string | undefined): Promise<void> {
  const folders = [...(other === undefined ? [] : [resolve(other)]), process.cwd()]
  await using programs = new Programs()
  const server = await programs.startPostgres()
  const rows: Row[] = []
  for (const awayMs of AWAY_MS) {
    const rounds = new Map<string, Round[]>(folders.map((folder) => [folder, []]))
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const folder of folders) rounds.get(folder)?.push(await measure(folder, server, awayMs))
    }
    rows.push(...printRounds(rounds, awayMs))
  }
  rows.push(...(await measureCheck(server)), await measureProofs(server))
  handOver('journal', rows)
}

function printRounds(rounds: ReadonlyMap<string, readonly Round[]>, awayMs: number): readonly Row[] {
  const rates = [...rounds.values()].map((of) => median(of.map(({ perSecond }) => perSecond)))
  print(`\n${OPERATORS} operators in ${PROCESSES} processes, PostgreSQL ${awayMs} ms away`)
  for (const [at, [folder, of]] of [...rounds].entries()) {
    const name = folder === process.cwd() ? 'this checkout' : 'the other checkout'
    const all = of.map(({ perSecond }) => perSecond.toFixed(0)).join(', ')
    const took = median(of.map((round) => round.median)).toFixed(0)
    print(`${name.padEnd(20)}${(rates[at] ?? 0).toFixed(0).padStart(6)} changes/s (${all}), ${took} ms each`)
  }
  const [before = 0, now] = rates
  const away = `${OPERATORS} operators, PostgreSQL ${awayMs} ms away`
  if (now === undefined) return [told(`changes a second: ${away}`, before.toFixed(0))]
  print(`${(now / before).toFixed(2)} times the other's`)
  return [told(`changes a second, this checkout / the other: ${away}`, (now / before).toFixed(2))]
}

async function measure(folder: string, serverUrl: string, awayMs: number): Promise<Round> {
  const url = await newTestDatabase(serverUrl)
  const { db, close } = await open<Tables>(url)
  const proxy = await delayingProxy(url, awayMs)
  const order: JournalOrder = { folder, store: proxy.url, operators: OPERATORS / PROCESSES, forMs: FOR_MS }
  const args = ['--conditions=react-server', 'bench/journal-worker.ts', JSON.stringify(order)]
  const workers = Array.from({ length: PROCESSES }, () =>
    spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] }),
  )
  const lines = workers.map((worker) => createInterface({ input: worker.stdout })[Symbol.asyncIterator]())
  // All have opened the store, with the tables of their own checkout, before one begins.
  for (const line of lines) await line.next()
  for (const worker of workers) worker.stdin?.write('go\n')
  const told: { readonly done: number; readonly median: number }[] = []
  for (const line of lines) told.push(JSON.parse(String((await line.next()).value)))
  await Promise.all(workers.map(ended))
  await proxy.stop()
  if (folder === process.cwd()) await expectIntact(db)
  await close()
  const done = told.reduce((sum, one) => sum + one.done, 0)
  return { perSecond: done / (FOR_MS / 1000), median: median(told.map((one) => one.median)) }
}

const EVENTS = 100_000
const EVENTS_AT_ONCE = 1_000
const CHECK_MOST_MS = 10_000

/** What `npm run audit:verify` does. */
async function measureCheck(serverUrl: string): Promise<readonly Row[]> {
  const keys = configureForTest({ DATABASE_URL: await newTestDatabase(serverUrl) })
  const db = await store()
  const about = { kind: 'deposit.confirm', actor: 'sso:1', actorName: 'Operator', target: 'DEP~1' }
  const { id } = await insertDraft(db, { id: randomUUID(), ...about, params: '{"bankReference":"B-1"}', facts: '{}' })
  for (let written = 1; written < EVENTS; written += EVENTS_AT_ONCE) {
    await inJournal(db, async (trx) => {
      for (let at = 0; at < Math.min(EVENTS_AT_ONCE, EVENTS - written); at += 1) appendNote(trx, id, { at })
    })
  }
  while ((await sequenceEvents(db)) > 0);
  const began = performance.now()
  const { events, faults } = await verifyJournal(db, keys)
  const ms = performance.now() - began
  if (events !== EVENTS || faults.length > 0) throw new Error(`the journal is not intact: ${JSON.stringify(faults)}`)
  const figure = `checking ${EVENTS.toLocaleString('en-US')} events`
  const show = (took: number) => `${took.toFixed(0)} ms`
  print(`\n${figure}: ${show(ms)}`)
  return [atMost(figure, ms, CHECK_MOST_MS, show), ...(await measureDossier(db, keys))]
}

const [DOSSIER_MOST_MS, VERIFY_MOST_MS] = [1_000, 200]

/** Of a change among the 100,000 events, as its author exports it. */
async function measureDossier(db: Kysely<Tables>, { logOrigin, logKeys: [logKey] }: Config): Promise<readonly Row[]> {
  registerKinds(kinds)
  const about = { kind: 'deposit.confirm', actor: 'sso:1', actorName: 'Operator', target: 'DEP~2' }
  const { id } = await insertDraft(db, { id: randomUUID(), ...about, params: '{"bankReference":"B-2"}', facts: '{}' })
  for (let at = 0; at < 10; at += 1) await inJournal(db, async (trx) => appendNote(trx, id, { at }))
  const author = { actor: about.actor, displayName: about.actorName } as Session
  const began = performance.now()
  const exported = await exportEvidence(author, id)
  const exportMs = performance.now() - began
  if (!exported?.ok) throw new Error('no evidence')
  const text = `${JSON.stringify(exported.dossier)}\n`
  const verifyBegan = performance.now()
  verifyDossier(text, verifierKey(logOrigin, logKey))
  const verifyMs = performance.now() - verifyBegan
  const show = (took: number) => `${took.toFixed(0)} ms`
  print(`exporting the evidence of a change: ${show(exportMs)}, verifying it: ${show(verifyMs)}`)
  return [
    atMost('exporting the evidence of a change', exportMs, DOSSIER_MOST_MS, show),
    atMost('verifying it', verifyMs, VERIFY_MOST_MS, show),
  ]
}

const LEAVES = 1_000_000
const LEAVES_AT_ONCE = 20_000
const PROOFS = 500
/** A short interruption of the machine seldom hits the same proof twice. */
const RUNS = 3
const PROOF_MOST_MS = 10

/** The slowest of proofs of leaves and of growth, anywhere in the log. */
async function measureProofs(serverUrl: string): Promise<Row> {
  const { db, close } = await open<Tables>(await newTestDatabase(serverUrl))
  await migrate(db)
  let tree = EMPTY_TREE
  while (tree.size < LEAVES) {
    const leaves = Array.from({ length: LEAVES_AT_ONCE }, (_, at) => leafHash(String(tree.size + at)))
    const grown = growTree(tree, leaves)
    const column = <Value>(of: (node: TreeNode) => Value) => grown.nodes.map(of)
    await sql`INSERT INTO log_node (level, "index", hash) SELECT * FROM unnest(
      ${column(({ level }) => level)}::integer[], ${column(({ index }) => index)}::bigint[], ${column(({ hash }) => hash)}::text[])`.execute(
      db,
    )
    tree = grown.tree
  }
  await sql`ANALYZE log_node`.execute(db)
  // The first query of a process is compiled.
  await inclusionProof(db, 0, LEAVES)
  const took: number[] = []
  for (let at = 0; at < PROOFS; at += 1) {
    const index = Math.floor((at / PROOFS) * LEAVES)
    const prove = at % 2 === 0 ? inclusionProof : consistencyProof
    const runs: number[] = []
    for (let run = 0; run < RUNS; run += 1) {
      const began = performance.now()
      await prove(db, index, LEAVES)
      runs.push(performance.now() - began)
    }
    took.push(Math.min(...runs))
  }
  await close()
  const [figure, slowest] = [
    `the slowest of ${PROOFS} proofs over ${LEAVES.toLocaleString('en-US')} events`,
    Math.max(...took),
  ]
  const show = (ms: number) => `${ms.toFixed(1)} ms`
  print(`\n${figure}: ${show(slowest)} (median ${show(median(took))})`)
  return atMost(figure, slowest, PROOF_MOST_MS, show)
}

/** What the workers left waiting is placed first. */
async function expectIntact(db: Kysely<Tables>): Promise<void> {
  const keys = configureForTest()
  while ((await sequenceEvents(db)) > 0);
  const { events, faults } = await verifyJournal(db, keys)
  if (events === 0 || faults.length > 0) throw new Error(`the journal is not intact: ${JSON.stringify(faults)}`)
}

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((done) => (child.exitCode === null ? child.once('exit', () => done()) : done()))

await bench(process.argv[2])
