import 'server-only'
import { type Kysely, sql } from 'kysely'
import { z } from 'zod'
import { refusalProblem, refusedBy, refusedUnread } from '#lib/authorization/judge.ts'
import type { Rule } from '#lib/authorization/table.ts'
import { config } from '#lib/config/config.ts'
import { parsedJson } from '#lib/contract/json.ts'
import {
  type EventRow,
  erasedBy,
  eraseFields,
  findEvents,
  isErasable,
  isGenuine,
  saltedFields,
} from '#lib/journal/event.ts'
import { inJournal } from '#lib/journal/sequencer.ts'
import { kindTable } from '#lib/kind-names.ts'
import type { Result } from '#lib/service/client.ts'
import type { Session } from '#lib/session/session.ts'
import { removeErasedText } from '#lib/session/unsent-text.ts'
import { hourly } from '#lib/store/periodic.ts'
import { store } from '#lib/store/store.ts'
import type { Tables, Trx } from '#lib/store/tables.ts'
import { noteFault } from '#lib/values/text.ts'
import { ownProperty } from '#lib/values/words.ts'
import { canView, ruleOfChange } from './access.ts'
import type { Line } from './command.ts'
import { type ConfirmText, faultsOf, kindNamed, recordCommand } from './kind.ts'
import { type CommandRow, ERASED } from './row.ts'
import { appendNote, findCommand, SETTLED } from './store.ts'

const params = z.strictObject({ id: z.uuid(), reason: z.string().trim() })

type Params = z.output<typeof params>

/** None of the text itself. `fields` is empty if there is none to erase. */
type Facts = Readonly<Record<'change' | 'about' | 'by' | 'endedAt' | 'fields', string>>

const lines = ({ change, about, by, endedAt, fields }: Facts): Line[] => [
  { label: 'Change', value: change, as: 'text' },
  { label: 'About', value: about, as: 'mono' },
  { label: 'By', value: by, as: 'text' },
  { label: 'Ended', value: endedAt, as: 'time' },
  { label: 'Erases', value: fields, as: 'text' },
]

export const changeErase = recordCommand<Params, Facts>({
  kind: 'change.erase',
  place: ({ target }) => ({ href: `/activity/${encodeURIComponent(target)}`, words: 'Open the change' }),
  params,
  immediate: false,
  checkParams: ({ reason }) => faultsOf({ reason: noteFault(reason, 'Enter why, without the text itself.') }),
  readFacts: (session, { id }, author = session.actor) => factsOf(session, id, author),
  checkFacts: (_params, { fields }) => faultsOf({ id: fields === '' ? 'It has no text that can be erased.' : null }),
  requires: () => ({ approval: { by: 1, scopes: [], passkey: false, administers: true } }),
  target: ({ id }) => id,
  locks: ({ id }) => [{ key: `erase:${id}`, permanent: false }],
  describeLockConflict: () => ({ field: 'id', what: 'Its text is already being erased' }),
  title: (_params, { change }) => `Erase text: ${change}`,
  button: () => 'Erase text',
  summary: ({ reason }, facts) => [...lines(facts), { label: 'Reason', value: reason, as: 'text' }],
  factLines: lines,
  consequence: () =>
    'Removed here for good, also from later evidence. What was decided, when, by whom and amounts stay. Backups and files that were saved before still have it.',
  async checkUnderLock(trx, { params: { id } }) {
    const row = await trx.selectFrom('command').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
    const gone = { title: 'It was not erased', advice: 'The text is already erased, or the change is open again.' }
    return row === undefined || !mayBeErased(row) || textsOf(await findEvents(trx, id)).size === 0 ? gone : null
  },
  async record(trx, { commandId, actor, actorName, params: { id, reason } }) {
    const row = await findCommand(trx, id)
    if (row === undefined) throw new Error(`there is no command ${id}`)
    await eraseText(trx, row, { erasure: commandId, by: actor, byName: actorName, why: reason })
  },
  describeSuccess: (_params, facts) => ({ steps: [], lines: lines(facts) }),
})

const nothing: Result<Facts> = {
  ok: true,
  value: { change: '', about: '', by: '', endedAt: '', fields: '' },
  serviceTime: null,
}

async function factsOf(session: Session, id: string, author: string): Promise<Result<Facts>> {
  const db = await store()
  const row = await findCommand(db, id)
  if (row === undefined || !mayBeErased(row)) return nothing
  // An approver may not see the change, for example a note; its author chose it.
  const events = await findEvents(db, id)
  if (author === session.actor) {
    const unread = await refusedUnread(session, rulesToAsk(session, row))
    if (unread !== null) return { ok: false, problem: refusalProblem(unread) }
    if (!(await mayAskToErase(session, row, events))) return nothing
  }
  const texts = textsOf(events)
  const value = {
    change: ownProperty(kindTable, row.kind)?.label ?? row.kind,
    about: row.target,
    by: row.actor_name,
    endedAt: row.settled_at ?? '',
    fields: fieldWords([...texts.values()].flatMap((names) => [...names])),
  }
  return { ok: true, value, serviceTime: null }
}

/** None if only its author sees the change. */
function rulesToAsk(session: Session, row: CommandRow): readonly Rule[] {
  const { change, others } = ruleOfChange(row)
  if (row.actor === session.actor) return [change]
  return others === 'own' ? [] : [change, others]
}

/** A second factor is judged by the events of its change. */
const KEPT_WHOLE = /^(passkey|totp)\./

const hasEnded = ({ state, reconcile_until: until }: CommandRow): boolean =>
  SETTLED.some((settled) => settled === state) && (until === null || Date.parse(until) < Date.now())

const mayBeErased = (row: CommandRow): boolean => hasEnded(row) && !KEPT_WHOLE.test(row.kind)

/** Colleagues answer for what they did. */
const NAMES_OF_COLLEAGUES = ['actorName', 'byName']

/** What was shown for confirmation repeats the texts. */
const isOfConfirmation = (name: string): boolean => name.startsWith('confirmText')

/** By event: the names of its fields with a text. None if the change has none but what was shown for confirmation. */
function textsOf(events: readonly EventRow[]): ReadonlyMap<EventRow, ReadonlySet<string>> {
  const found = events.flatMap((event) => {
    if (event.salts === null || !isGenuine(event) || Object.keys(erasedBy(event)).length > 0) return []
    const names = [...saltedFields(event)].flatMap(([name, [, value]]) =>
      isErasable(name) && !NAMES_OF_COLLEAGUES.includes(name) && !isEmpty(value) ? [name] : [],
    )
    return names.length === 0 ? [] : [[event, new Set(names)] as const]
  })
  return new Map(found.some(([, names]) => ![...names].every(isOfConfirmation)) ? found : [])
}

export async function mayAskToErase(session: Session, row: CommandRow, events: readonly EventRow[]): Promise<boolean> {
  if (!mayBeErased(row) || textsOf(events).size === 0) return false
  return (await canView(session, row)) && (await refusedBy(session, ruleOfChange(row).change)) === null
}

const words: Readonly<Record<string, string>> = {
  params: 'what was entered',
  facts: 'what the service said',
  confirmText: 'what was confirmed',
  asks: 'reason for approval',
  why: 'reason',
  shows: 'what the service said',
  acknowledged: 'what the service said',
  old: 'value before',
  new: 'value after',
}

/** For example “printed name, what was confirmed”. */
function fieldWords(names: readonly string[]): string {
  const shown = names.map((name) => {
    const field = isOfConfirmation(name) ? 'confirmText' : name.replace(/^\w+\./, '')
    return ownProperty(words, field) ?? field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  })
  return [...new Set(shown)].join(', ')
}

const isEmpty = (value: unknown): boolean =>
  ['""', 'null', '{}', '[]', `"${ERASED}"`].includes(JSON.stringify(value) ?? 'null')

/** Leaves the hashes in the log, and says in the history of the change what was erased. Lock the change first. */
async function eraseText(trx: Trx, row: CommandRow, note: Readonly<Record<string, unknown>>): Promise<void> {
  const erased: Record<string, readonly string[]> = {}
  const texts: string[] = []
  for (const [event, names] of textsOf(await findEvents(trx, row.id))) {
    erased[event.sequence] = [...names]
    for (const [name, [, value]] of saltedFields(event)) if (names.has(name)) texts.push(...stringsIn(value))
    await eraseFields(trx, event, names)
  }
  const isErased = Object.keys(erased).length > 0
  const columns = isErased ? erasedColumns(row, texts) : {}
  await trx
    .updateTable('command')
    .set({ ...columns, erased_at: new Date().toISOString() })
    .where('id', '=', row.id)
    .execute()
  if (!isErased) return
  await trx.updateTable('approval_request').set({ reason: ERASED }).where('command_id', '=', row.id).execute()
  await trx.updateTable('approval').set({ reason: ERASED }).where('command_id', '=', row.id).execute()
  const entered = stringsIn(recordIn(row.params))
  for (const text of texts) if (entered.includes(text)) await removeErasedText(trx, row.actor, row.target, text)
  await kindNamed(row.kind)?.eraseText?.(trx, row, { params: recordIn(row.params), texts })
  appendNote(trx, row.id, { erased, ...note })
  await eraseValuesBefore(trx, row, { texts, note })
  await eraseReasonOfSettled(trx, row, { texts, note })
  for (const other of await changesAbout(trx, row.id)) await eraseText(trx, other, note)
}

interface Erasure {
  readonly texts: readonly string[]
  readonly note: Readonly<Record<string, unknown>>
}

async function eraseValuesBefore(trx: Trx, row: CommandRow, { texts, note }: Erasure): Promise<void> {
  const repeatsText = kindNamed(row.kind)?.repeatsText
  const before = texts.map((text) => sql<boolean>`strpos(body, ${`"old":${JSON.stringify(text)}`}) > 0`)
  if (repeatsText === undefined || before.length === 0) return
  // Locked before their events are read: another erasure of them may be under way.
  const rows = await trx
    .selectFrom('command')
    .selectAll()
    .where('kind', '=', row.kind)
    .where('target', '=', row.target)
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('command_event')
        .select('command_id')
        .whereRef('command_id', '=', 'command.id')
        .where(({ or }) => or(before)),
    )
    .orderBy('id')
    .forUpdate()
    .execute()
  for (const later of rows.filter(({ params }) => repeatsText(recordIn(row.params), recordIn(params))))
    await eraseRepeated(trx, later, 'old', { texts, note })
}

async function eraseReasonOfSettled(trx: Trx, row: CommandRow, erasure: Erasure): Promise<void> {
  const id = kindNamed(row.kind)?.settles?.(recordIn(row.params))
  if (typeof id !== 'string') return
  const settled = await trx.selectFrom('command').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (settled !== undefined) await eraseRepeated(trx, settled, 'why', erasure)
}

async function eraseRepeated(trx: Trx, row: CommandRow, field: 'old' | 'why', { texts, note }: Erasure): Promise<void> {
  const erased: Record<string, readonly string[]> = {}
  for (const event of await findEvents(trx, row.id)) {
    const value = event.salts !== null && isGenuine(event) ? saltedFields(event).get(field)?.[1] : null
    if (typeof value !== 'string' || !texts.includes(value)) continue
    erased[event.sequence] = [field]
    await eraseFields(trx, event, new Set([field]))
  }
  if (Object.keys(erased).length === 0) return
  const outcome = withoutRepeats(recordIn(row.outcome), texts)
  await trx.updateTable('command').set({ outcome }).where('id', '=', row.id).execute()
  appendNote(trx, row.id, { erased, ...note })
}

function withoutRepeats(outcome: Stored, texts: readonly string[]): string {
  const { lines, advice, ...rest } = outcome
  return JSON.stringify({
    ...rest,
    ...(Array.isArray(lines) ? { lines: (lines as Line[]).filter(({ value }) => !texts.includes(value)) } : {}),
    ...(typeof advice === 'string' ? { advice: texts.some((text) => advice.includes(text)) ? ERASED : advice } : {}),
  })
}

/** Evidence of it, and its end by hand: they name it by its title. */
async function changesAbout(trx: Trx, id: string): Promise<readonly CommandRow[]> {
  const rows = await trx
    .selectFrom('command')
    .selectAll()
    .where('target', '=', id)
    .where('kind', '!=', 'change.erase')
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows.filter(mayBeErased)
}

function erasedColumns(row: CommandRow, texts: readonly string[]) {
  const keeps = keptLinesOf(row)
  const repeated = texts.filter(({ length }) => length > 1)
  const label = `${ownProperty(kindTable, row.kind)?.label ?? row.kind} ${ERASED}`
  const text = recordIn(row.confirm_text) as Partial<ConfirmText>
  const shown = { v: 1, title: label, doneTitle: label, lines: (text.lines ?? []).filter(keeps), consequence: '' }
  return {
    params: withoutMembers('params', row.params),
    facts: withoutMembers('facts', row.facts),
    confirm_text: JSON.stringify({ ...shown, button: text.button ?? '', warning: null, proof: null }),
    outcome: row.outcome === null ? null : JSON.stringify(withoutOutcomeTexts(recordIn(row.outcome), keeps, repeated)),
  }
}

type KeepsLine = (line: Line) => boolean

function keptLinesOf(row: CommandRow): KeepsLine {
  const [kind, entered] = [kindNamed(row.kind), recordIn(row.params)]
  return (line) => kind?.keepsLine?.(line, entered) ?? line.as !== 'text'
}

type Stored = Readonly<Record<string, unknown>>

/** Empty for an altered text. */
function recordIn(json: string | null): Stored {
  const read = parsedJson(json ?? '{}')
  return typeof read === 'object' && read !== null && !Array.isArray(read) ? (read as Stored) : {}
}

/** Texts keep their type, so that readers of earlier changes need no case for it. */
function withoutMembers(group: 'params' | 'facts', json: string): string {
  const members = Object.entries(recordIn(json))
  return JSON.stringify(
    Object.fromEntries(members.map(([name, value]) => [name, isErasable(`${group}.${name}`) ? blank(value) : value])),
  )
}

function blank(value: unknown): unknown {
  if (isEmpty(value)) return value
  if (Array.isArray(value)) return []
  return typeof value === 'string' ? ERASED : null
}

const WORDS = ['title', 'advice', 'shows', 'checking']

/** Words of the service go, and words of the console that repeat an erased text. */
function withoutOutcomeTexts(outcome: Stored, keeps: KeepsLine, texts: readonly string[]): Stored {
  const isOfService = (outcome.problem ?? null) !== null
  const kept = Object.entries(outcome).map(([name, value]) => {
    if (['lines', 'before', 'now'].includes(name)) return [name, (value as Line[]).filter(keeps)]
    if (name === 'steps') return [name, []]
    if (name === 'problem') return [name, null]
    if (isOfService && name === 'title') return [name, 'The service refused it']
    if (isOfService && name === 'advice') return [name, '']
    const repeats = WORDS.includes(name) && texts.some((text) => String(value).includes(text))
    return [name, repeats ? ERASED : value]
  })
  return Object.fromEntries(kept)
}

const stringsIn = (value: unknown): readonly string[] =>
  typeof value === 'string' ? [value] : Object.values(value ?? {}).flatMap(stringsIn)

const AT_ONCE = 50

export async function eraseOldText(): Promise<void> {
  const { textKeptDays: days } = config()
  if (days !== null) await hourly('text retention', async () => (await eraseSome(await store(), days)) < AT_ONCE)
}

const eraseSome = async (db: Kysely<Tables>, days: number): Promise<number> =>
  await inJournal(db, async (trx) => {
    const rows = await trx
      .selectFrom('command')
      .selectAll()
      .where('erased_at', 'is', null)
      .where('settled_at', '<', sql<string>`kept_since(${days})`)
      .where(sql<boolean>`kind !~ ${KEPT_WHOLE.source}`)
      .where(({ or, eb }) =>
        or([eb('reconcile_until', 'is', null), eb('reconcile_until', '<', new Date().toISOString())]),
      )
      .where('state', 'in', SETTLED)
      .orderBy('settled_at')
      .limit(AT_ONCE)
      .forUpdate()
      .skipLocked()
      .execute()
    for (const row of rows) await eraseText(trx, row, { keptDays: days })
    return rows.length
  })
