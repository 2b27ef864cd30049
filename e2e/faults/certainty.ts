import { setTimeout as wait } from 'node:timers/promises'
import type { Postgres } from '../support/postgres.ts'
import { findSecrets } from '../support/received.ts'
import { PASSWORD } from '../support/sandbox-controls.ts'
import type { FaultyLine } from './faulty-line.ts'
import { type CommandOutcome, HANDLE, type Person } from './person.ts'

/** A change, how its effects are counted, and all that its author was told of it. */
export interface Change {
  readonly id: string
  /** Its request to the service has this text, and no other request has; null where nothing goes to the service. */
  readonly mark: string | null
  /** Asked past every fault. */
  readonly effects: () => Promise<number>
  /** Nobody but the holder can read its effect at the service, so a person settles it where the answer is lost. */
  readonly byHand?: boolean
  readonly told: CommandOutcome[]
}

export interface Evidence {
  readonly changes: readonly Change[]
  readonly line: FaultyLine
  readonly person: Person
  readonly postgres: Postgres
  readonly unjournaled: number
  readonly log: string
  readonly tokens: Iterable<string>
}

type Wrongs = Readonly<Record<string, number>>

const SETTLED_WITHIN_MS = 60_000
const OPEN = new Set(['lost', 'sending', 'unknown', 'accepted'])
const WITHOUT_EFFECT = new Set(['denied', 'refused', 'cancelled', 'failed', 'no-effect'])

/** What must never be, counted; every figure has to be 0. Waits until every change whose effect shows is settled. */
export async function countWrongs(evidence: Evidence): Promise<Wrongs> {
  const { changes, line, person, postgres, unjournaled } = evidence
  const effects = new Map<string, number>()
  for (const { id, effects: count } of changes) effects.set(id, await count())
  await lookUntilSettled(evidence, effects)

  const rows = await postgres.query('SELECT id, state FROM command WHERE id = ANY($1)', [changes.map(({ id }) => id)])
  const stateOfChange = new Map(rows.map(({ id, state }) => [String(id), String(state)]))
  const home = await person.page('/')
  const count = (wrong: (change: Change) => boolean): number => changes.filter(wrong).length
  const tookEffect = ({ id }: Change): boolean => (effects.get(id) ?? 0) > 0
  const isOpen = ({ id }: Change): boolean => ['sent', 'unknown', 'accepted'].includes(stateOfChange.get(id) ?? '')
  return {
    'sent more than once': count(({ mark }) => (line.sent.get(mark ?? '') ?? 0) > 1),
    'more than one effect': count(({ id }) => (effects.get(id) ?? 0) > 1),
    'sent before it was in the journal': unjournaled,
    'an effect of a change that the journal does not have': count(
      (change) => tookEffect(change) && !stateOfChange.has(change.id),
    ),
    'told to be without effect, and it has one': count(
      (change) => tookEffect(change) && change.told.some((told) => WITHOUT_EFFECT.has(told.class)),
    ),
    'told to be done, and it is not': count(
      (change) => !tookEffect(change) && change.told.some((told) => told.class === 'done'),
    ),
    'an effect that was not found': count(
      (change) => tookEffect(change) && !isFound(change, stateOfChange.get(change.id) ?? ''),
    ),
    'still being sent when all is over': count(({ id }) => stateOfChange.get(id) === 'sent'),
    'neither ended nor shown on Home': count((change) => isOpen(change) && !home.includes(change.id)),
    ...(await countSecrets(evidence)),
  }
}

/** What only a person can settle counts as found while it is put before them. */
const isFound = ({ byHand = false }: Change, state: string): boolean =>
  ['done', 'applied'].includes(state) || (byHand && state === 'unknown')

/** Tokens, handles and passwords: nowhere in the log and the store, and in nothing that a browser was given. */
export async function countSecrets({
  log,
  person,
  postgres,
  tokens,
}: Pick<Evidence, 'log' | 'person' | 'postgres' | 'tokens'>): Promise<Wrongs> {
  const secrets = [...tokens, PASSWORD, ...person.secrets].filter((secret) => secret !== '')
  const kept = [{ what: 'log', text: log }, ...(await dump(postgres))]
  return {
    'secrets in the log or in the store': findSecrets(kept, secrets).length,
    'secrets in what a browser received': findSecrets(person.received, [...tokens, PASSWORD, person.cookie(HANDLE)])
      .length,
  }
}

async function lookUntilSettled({ changes, person }: Evidence, effects: ReadonlyMap<string, number>): Promise<void> {
  const until = Date.now() + SETTLED_WITHIN_MS
  let left = changes
  while (left.length > 0 && Date.now() < until) {
    const still: Change[] = []
    for (const change of left) {
      const told = await person.look(change.id)
      change.told.push(told)
      if (told.class === 'lost' || told.class === 'sending') still.push(change)
      else if (OPEN.has(told.class) && (effects.get(change.id) ?? 0) > 0 && change.byHand !== true) still.push(change)
    }
    left = still
    if (left.length > 0) await wait(500)
  }
}

async function dump(postgres: Postgres): Promise<readonly { readonly what: string; readonly text: string }[]> {
  const tables = await postgres.query(
    `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
  )
  return await Promise.all(
    tables.map(async ({ name }) => ({
      what: String(name),
      text: JSON.stringify(await postgres.query(`SELECT * FROM ${name}`)),
    })),
  )
}
