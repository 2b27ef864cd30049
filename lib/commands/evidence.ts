import 'server-only'
import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { refusalProblem, refusedWithoutScopes } from '#lib/authorization/judge.ts'
import { config } from '#lib/config/config.ts'
import { perProcess } from '#lib/config/per-process.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import { readCheckpoint } from '#lib/journal/checkpoint.ts'
import { type EventRow, findEvents, leafWrittenWith, saltedFields } from '#lib/journal/event.ts'
import { inclusionProof } from '#lib/journal/proofs.ts'
import { inJournal, logHead, sequenceAll } from '#lib/journal/sequencer.ts'
import { refusedByWitness } from '#lib/journal/witness.ts'
import type { ServiceAnswer } from '#lib/service/client.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import type { Tables, Trx } from '#lib/store/tables.ts'
import { canView } from './access.ts'
import { recordEntry } from './kind.ts'
import { recordAct } from './record.ts'
import { findCommand } from './store.ts'
import { viewOf } from './view.ts'

export const evidenceExport = recordEntry({
  kind: 'evidence.export',
  title: ({ of }) => `Evidence exported: ${of}`,
  place: ({ target }) => ({ href: `/activity?text=${encodeURIComponent(target)}`, words: 'Show its changes' }),
})

/** `docs/dossier.md`. */
export interface Dossier {
  readonly dossier: 1
  readonly checkpoint: string
  readonly entries: readonly DossierEntry[]
  readonly answers: readonly ServiceAnswer[]
}

interface DossierEntry {
  readonly index: number
  readonly leaf: unknown
  /** By name: salt in base64, and value. */
  readonly fields: Readonly<Record<string, readonly [string, unknown]>>
  /** Base64. */
  readonly proof: readonly string[]
}

type Exported =
  | { readonly ok: true; readonly dossier: Dossier; readonly confirmed: boolean }
  | { readonly ok: false; readonly problem: Problem }

const PLACED_WITHIN_MS = 10_000
const CONFIRMED_WITHIN_MS = 30_000
const EVERY_MS = 250
/** The verifier refuses a file over 20 MB; entries of the journal take the rest. */
const ANSWERS_MAX_BYTES = 16_000_000

const refused = (title: string): Exported => ({ ok: false, problem: problemOf('console', { status: 503, title }) })

/** Null if the person may not see the change. Waits for the witness, 30 seconds at most. */
export async function exportEvidence(session: Session, id: string): Promise<Exported | null> {
  const row = await findCommand(await store(), id)
  const unread = row?.actor === session.actor ? null : await refusedWithoutScopes(session)
  if (unread !== null) return { ok: false, problem: refusalProblem(unread) }
  if (row === undefined || !(await canView(session, row))) return null
  return await exportDossier(session, { target: id, of: viewOf(row).title, commands: [id], answers: [] })
}

interface ToExport {
  readonly target: string
  readonly of: string
  /** Ids. The person may see them. */
  readonly commands: readonly string[]
  readonly answers: readonly ServiceAnswer[]
}

const running = () => perProcess('evidence exports', () => new Set<string>())

/** One at a time for a person. Waits for the witness, 30 seconds at most. */
export async function exportDossier(session: Session, about: ToExport): Promise<Exported> {
  if (running().has(session.actor)) return refused('You are exporting evidence already')
  running().add(session.actor)
  return await makeDossier(session, about).finally(() => running().delete(session.actor))
}

async function makeDossier(session: Session, about: ToExport): Promise<Exported> {
  const db = await store()
  if (Buffer.byteLength(JSON.stringify(about.answers)) > ANSWERS_MAX_BYTES)
    return refused('The service’s answers are too large for one file')
  const halted = await refusedByWitness(db)
  if (halted !== null) return { ok: false, problem: halted }
  const { events, exported } = await inJournal(db, (trx) => recordExport(trx, session, about))
  if (exported === null) return refused('This is older than the signed log')
  const all = [...events, ...(await findEvents(db, exported))]
  const leaves = all.map((event) => leafWrittenWith(event, config().auditKey))
  if (leaves.includes(null)) return refused('The journal of this was altered')
  const places = await untilPlaced(db, all)
  if (places === null) return refused('The journal does not take new entries right now')
  const { size, checkpoint, confirmed } = await latestCheckpoint(db, Math.max(...places.values()))
  const entries: DossierEntry[] = []
  for (const [at, event] of all.entries()) {
    const index = places.get(event.sequence) ?? 0
    const proof = (await inclusionProof(db, index, size)).map((hash) => Buffer.from(hash, 'hex').toString('base64'))
    entries.push({ index, leaf: JSON.parse(leaves[at] ?? ''), fields: Object.fromEntries(saltedFields(event)), proof })
  }
  const inOrder = entries.toSorted((one, other) => one.index - other.index)
  return { ok: true, dossier: { dossier: 1, checkpoint, entries: inOrder, answers: about.answers }, confirmed }
}

/** The last entry of the dossier: what the file has. */
async function recordExport(trx: Trx, session: Session, { target, of, commands, answers }: ToExport) {
  const events: EventRow[] = []
  for (const id of [...commands].sort()) {
    await trx.selectFrom('command').select('id').where('id', '=', id).forShare().execute()
    events.push(...(await findEvents(trx, id)).filter(({ salts }) => salts !== null))
  }
  if (events.length === 0 && answers.length === 0) return { events, exported: null }
  const counts = Object.fromEntries(
    [...Map.groupBy(events, ({ command_id: id }) => id ?? '')].map(([id, own]) => [id, own.length]),
  )
  const read = answers.map(({ request, at, body }) => ({ request, at, sha256: sha256(body) }))
  const by = { actor: session.actor, actorName: session.displayName }
  const exported = await recordAct(trx, {
    ...{ kind: 'evidence.export', ...by, target, params: { of } },
    outcome: JSON.stringify({ class: 'done', lines: [], steps: [] }),
    note: { evidence: { commands: counts, answers: read } },
  })
  return { events, exported }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** By sequence: the index in the log. Null if it takes too long. */
async function untilPlaced(
  db: Kysely<Tables>,
  events: readonly EventRow[],
): Promise<ReadonlyMap<number, number> | null> {
  const sequences = events.map(({ sequence }) => sequence)
  const until = Date.now() + PLACED_WITHIN_MS
  for (;;) {
    await sequenceAll()
    const rows = await db
      .selectFrom('log_leaf')
      .select(['index', 'sequence'])
      .where('sequence', 'in', sequences)
      .execute()
    if (rows.length === sequences.length) return new Map(rows.map(({ index, sequence }) => [sequence ?? 0, index]))
    if (Date.now() > until) return null
    await wait(EVERY_MS)
  }
}

async function latestCheckpoint(db: Kysely<Tables>, index: number) {
  const until = Date.now() + (config().witness === null ? 0 : CONFIRMED_WITHIN_MS)
  for (;;) {
    const { size, checkpoint, cosigned } = await logHead(db)
    const confirmedSize = readCheckpoint(cosigned)?.size ?? 0
    if (confirmedSize > index) return { size: confirmedSize, checkpoint: cosigned, confirmed: true }
    if (Date.now() >= until) return { size, checkpoint, confirmed: false }
    await wait(EVERY_MS)
  }
}
