import { type Kysely, sql } from 'kysely'
import { open } from '#lib/database/open.ts'
import { countByStatus, indexCases, latestInIndex } from '#lib/disputes/queue/case-index.ts'
import { CaseQuery, type Reader } from '#lib/disputes/queue/case-index-query.ts'
import { everyOpenCase, type QueueFilter } from '#lib/disputes/queue/queue.ts'
import type { ThreadCase } from '#lib/disputes/thread/thread.ts'
import { timeKey } from '#lib/disputes/thread/thread.ts'
import { migrate } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import { configureForTest } from '#lib/testing/test-console.ts'
import { handOver, told } from './hand-over.ts'
import { timesOf } from './measure.ts'
import { print } from './print.ts'

const FEW = 500
const MANY = 50_000
const TIMES = 15
const DAY_MS = 86_400_000
const reader: Reader = { userId: userOf(0), actor: 'sso:bench', seesClaims: true, seesAmounts: true }

const questions: readonly (readonly [name: string, filter: Partial<QueueFilter>, from: number])[] = [
  ['open cases, first page', {}, 0],
  ['open cases, a page in the middle', {}, Math.ceil(MANY / 3)],
  ['open cases, last page', {}, Number.POSITIVE_INFINITY],
  ['unassigned cases, first page', { claim: 'unassigned' }, 0],
  ['resolved cases, latest first', { list: 'RESOLVED' }, 0],
  ['all cases by status', { list: 'ALL', sort: { column: 'status', descending: false } }, 0],
  ['of one age', { age: 'week' }, 0],
  ['of a party', { list: 'ALL', party: userOf(7) }, 0],
  ['that wait for staff', { turn: 'us' }, 0],
  ['with unread messages', { unread: true }, 0],
  ['by last message, a page in the middle', { sort: { column: 'last', descending: false } }, Math.ceil(MANY / 3)],
  ['with a text in the reason', { list: 'ALL', text: 'number 77' }, 0],
]

const PANE = 'the pane beside a case in the middle'
const NEXT = 'the next case to assign'

/** `npm run bench`: what a page of the dispute queue takes of the embedded store, with many cases and with few. Asserts nothing. */
async function bench(): Promise<void> {
  configureForTest()
  print(`dispute queue: ${MANY.toLocaleString('en-US')} cases against ${FEW}, with all counts`)
  const few = await measure(FEW)
  const many = await measure(MANY)
  const rows = [...few.keys()].map((name) => {
    const [little, much] = [few.get(name) ?? 0, many.get(name) ?? 0]
    print(
      `${name.padEnd(38)} ${much.toFixed(0).padStart(5)} ms against ${little.toFixed(0).padStart(3)} ms: ${(much / little).toFixed(1)} times`,
    )
    return told(`${name}: ${MANY} cases / ${FEW}`, (much / little).toFixed(1))
  })
  handOver('dispute-queue', rows)
}

async function measure(count: number): Promise<ReadonlyMap<string, number>> {
  const { db, close } = await open<Tables>('memory:')
  await migrate(db)
  await indexCases(
    db,
    Array.from({ length: count }, (_, at) => caseOf(at)),
    new Date().toISOString(),
  )
  await sql`
    INSERT INTO case_message (case_id, message_id, author, order_key)
    SELECT id_key, id_key || at, CASE WHEN arrival % 2 = at % 2 THEN lower(raised_by) ELSE ${reader.userId} END,
      created_key || at
    FROM case_index, generate_series(1, 4) AS at WHERE arrival % 5 > 0`.execute(db)
  await sql`
    INSERT INTO case_thread (case_id, read_at, last_key, last_author)
    SELECT DISTINCT ON (case_id) case_id, 1, order_key, author FROM case_message ORDER BY case_id, order_key DESC`.execute(
    db,
  )
  const taken = new Map<string, number>()
  for (const [name, filter, from] of questions) {
    const { median } = await timesOf(TIMES, () => page(db, { ...everyOpenCase, ...filter }, from))
    taken.set(name, median)
  }
  const around = caseOf(Math.floor(count / 2) + 1).id
  taken.set(PANE, (await timesOf(TIMES, () => pane(db, around))).median)
  const overTarget = timeKey(new Date(Date.now() - 3 * DAY_MS).toISOString())
  const unassigned = new CaseQuery(db, { ...everyOpenCase, claim: 'unassigned' }, reader)
  taken.set(NEXT, (await timesOf(TIMES, () => unassigned.mostUrgent(10, overTarget))).median)
  await close()
  return taken
}

/** What the server asks the store for one page. */
async function page(db: Kysely<Tables>, filter: QueueFilter, from: number): Promise<void> {
  const query = new CaseQuery(db, filter, reader)
  const [{ total }] = await Promise.all([query.counts(), countByStatus(db), latestInIndex(db)])
  await query.rows(Math.min(from, Math.max(0, total - 20)), 20, total)
}

async function pane(db: Kysely<Tables>, caseId: string): Promise<void> {
  const query = new CaseQuery(db, everyOpenCase, reader)
  const [byStatus] = await Promise.all([countByStatus(db), latestInIndex(db)])
  await Promise.all([query.claimCounts(byStatus.get('OPEN') ?? 0), query.placeByAge(caseId)])
  await query.rowsAround(caseId, 25, 51)
}

function userOf(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
}

function caseOf(at: number): ThreadCase {
  const isResolved = at % 3 === 0
  const createdAt = new Date(Date.now() - (at % 60) * DAY_MS - at).toISOString()
  return {
    id: `c0000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
    referenceId: `reference ${at}`,
    raisedByUserId: userOf(1 + (at % 999)),
    counterpartyUserId: userOf(1 + ((at + 500) % 999)),
    status: isResolved ? 'RESOLVED' : 'OPEN',
    reason: `This is number ${at}, and the goods that were paid for never came. `.repeat(3),
    resolutionOutcome: isResolved ? 'REFUNDED' : null,
    resolutionReason: null,
    resolvedByUserId: null,
    createdAt,
    resolvedAt: isResolved ? createdAt : null,
  }
}

await bench()
