import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { canView } from '#lib/commands/access.ts'
import { inJournal } from '#lib/commands/journal/append.ts'
import { type EventRow, findEvents, leafWrittenWith } from '#lib/commands/journal/event.ts'
import { inclusionProof } from '#lib/commands/journal/proofs.ts'
import { logHead, sequenceAll } from '#lib/commands/journal/sequencer.ts'
import { refusedByWitness } from '#lib/commands/journal/witness.ts'
import { recordEntry } from '#lib/commands/kind.ts'
import { recordAct } from '#lib/commands/record.ts'
import { findCommand } from '#lib/commands/store.ts'
import { viewOf } from '#lib/commands/view.ts'
import { config } from '#lib/config/config.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'

export const evidenceExport = recordEntry({
  kind: 'evidence.export',
  title: ({ of }) => `Evidence exported: ${of}`,
  place: ({ target }) => ({ href: `/activity/${encodeURIComponent(target)}`, words: 'Open the change' }),
})

/** `docs/dossier.md`. */
export interface Dossier {
  readonly dossier: 1
  readonly checkpoint: string
  readonly entries: readonly DossierEntry[]
  readonly answers: readonly never[]
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

const refused = (title: string): Exported => ({ ok: false, problem: problemOf('console', { status: 503, title }) })

/** Null if the person may not see the change. Waits for the witness, 30 seconds at most. */
export async function exportEvidence(session: Session, id: string): Promise<Exported | null> {
  const db = await store()
  const row = await findCommand(db, id)
  if (row === undefined || !(await canView(session, row))) return null
  const halted = await refusedByWitness(db)
  if (halted !== null) return { ok: false, problem: halted }
  const { events, exported } = await inJournal(db, async (trx) => {
    await trx.selectFrom('command').select('id').where('id', '=', id).forShare().execute()
    const events = (await findEvents(trx, id)).filter(({ salts }) => salts !== null)
    if (events.length === 0) return { events, exported: null }
    const by = { actor: session.actor, actorName: session.displayName }
    const note = { evidence: { commands: { [id]: events.length }, answers: [] } }
    const act = { kind: 'evidence.export', ...by, target: id, params: { of: viewOf(row).title } } as const
    const outcome = JSON.stringify({ class: 'done', lines: [], steps: [] })
    return { events, exported: await recordAct(trx, { ...act, outcome, note }) }
  })
  if (exported === null) return refused('This change is older than the signed log')
  const all = [...events, ...(await findEvents(db, exported))]
  const leaves = all.map((event) => leafWrittenWith(event, config().auditKey))
  if (leaves.includes(null)) return refused('The journal of this change was altered')
  const places = await untilPlaced(db, all)
  if (places === null) return refused('The journal does not take new entries right now')
  const { size, checkpoint, confirmed } = await latestCheckpoint(db, Math.max(...places.values()))
  const entries: DossierEntry[] = []
  for (const [at, event] of all.entries()) {
    const index = places.get(event.sequence) ?? 0
    const proof = (await inclusionProof(db, index, size)).map((hash) => Buffer.from(hash, 'hex').toString('base64'))
    entries.push({ index, leaf: JSON.parse(leaves[at] ?? ''), fields: fieldsOf(event), proof })
  }
  const inOrder = entries.toSorted((one, other) => one.index - other.index)
  return { ok: true, dossier: { dossier: 1, checkpoint, entries: inOrder, answers: [] }, confirmed }
}

function fieldsOf({ body, salts }: EventRow): DossierEntry['fields'] {
  const saltOf = JSON.parse(salts ?? '{}') as Readonly<Record<string, string>>
  const values = Object.entries(JSON.parse(body) as Readonly<Record<string, unknown>>)
  return Object.fromEntries(values.map(([name, value]) => [name, [saltOf[name] ?? '', value]]))
}

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

/** The one that the witness confirmed, if it comes in time and has `index`. */
async function latestCheckpoint(db: Kysely<Tables>, index: number) {
  const until = Date.now() + (config().witness === null ? 0 : CONFIRMED_WITHIN_MS)
  for (;;) {
    const { size, checkpoint, cosigned, cosigned_size: confirmedSize } = await logHead(db)
    if (confirmedSize > index) return { size: confirmedSize, checkpoint: cosigned, confirmed: true }
    if (Date.now() >= until) return { size, checkpoint, confirmed: false }
    await wait(EVERY_MS)
  }
}
