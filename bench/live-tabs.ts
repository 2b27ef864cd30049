import pLimit from 'p-limit'
import { manyUsers } from '#sandbox/seed/many-users.ts'
import { emailOf } from '#sandbox/seed/people.ts'
import type { Client } from './client.ts'
import { ARBITRATOR } from './measured-pages.ts'
import { Operator } from './operator.ts'

/** What the console allows. */
const SESSIONS_PER_PERSON = 5
const STREAMS_PER_SESSION = 5
/** Those of the seed who may work on cases. The rest are wallet holders, whom the bench's console takes for staff. */
const ARBITRATORS = [ARBITRATOR, 'admin@example.com', 'newcomer@example.com']
/** The console takes eight at once. */
const SIGN_INS_AT_ONCE = 6
const EVERYWHERE = ['session', 'own-cases']

/** A tab, alone in its browser. */
export interface Tab {
  readonly operator: Operator
  readonly topics: readonly string[]
  /** The one session of its person is to end while it is open. */
  readonly leaves: boolean
}

interface Wanted {
  /** Idle ones. */
  readonly tabs: number
  /** Further ones that show the queue. */
  readonly queue: number
  /** Further ones whose sessions will end. */
  readonly ending: number
}

/** Of the idle ones so many show Home, and so many a case; the others show a page with nothing of its own to follow. */
const SHARE_HOME = 0.1
const SHARE_CASES = 0.06

/** Signs everybody in, a session a tab but for those who have cases open. Each case is open once. */
export async function signInTabs(client: Client, consoleUrl: string, wanted: Wanted): Promise<readonly Tab[]> {
  const cases = await openCases(client, Math.round(wanted.tabs * SHARE_CASES))
  const home = Math.round(wanted.tabs * SHARE_HOME)
  const pages = [
    ...Array.from({ length: wanted.queue }, () => ['queue']),
    ...Array.from({ length: home }, () => ['home']),
    ...Array.from({ length: wanted.tabs - home - cases.length }, () => []),
  ]
  const emails = manyUsers.map(emailOf)
  const people: Person[] = [
    ...emails.slice(0, wanted.ending).map((email) => ({ email, tabs: [[[]]], leaves: true })),
    ...chunks(pages, SESSIONS_PER_PERSON).map((some, at) => ({
      email: emails[wanted.ending + at] ?? '',
      tabs: some.map((page) => [page]),
      leaves: false,
    })),
    ...chunks(chunks(cases, STREAMS_PER_SESSION), SESSIONS_PER_PERSON).map((some, at) => ({
      email: ARBITRATORS[at] ?? '',
      tabs: some.map((ids) => ids.map((id) => [`workspace ${id}`, `thread ${id}`])),
      leaves: false,
    })),
  ]
  return (await pLimit(SIGN_INS_AT_ONCE).map(people, (person) => signIn(consoleUrl, person))).flat()
}

interface Person {
  readonly email: string
  /** By session: what each of its tabs follows beside what all do. */
  readonly tabs: readonly (readonly (readonly string[])[])[]
  readonly leaves: boolean
}

async function signIn(consoleUrl: string, { email, tabs, leaves }: Person): Promise<Tab[]> {
  const all: Tab[] = []
  for (const ofSession of tabs) {
    const operator = await Operator.signIn(consoleUrl, email)
    all.push(...ofSession.map((topics) => ({ operator, topics: [...EVERYWHERE, ...topics], leaves })))
  }
  return all
}

export const caseOf = ({ topics }: Tab): string | null =>
  topics.find((it) => it.startsWith('thread '))?.slice(7) ?? null

async function openCases(client: Client, count: number): Promise<readonly string[]> {
  const most = ARBITRATORS.length * SESSIONS_PER_PERSON * STREAMS_PER_SESSION
  const token = await client.tokenOf(ARBITRATOR)
  const { cases } = await client.ask({ path: '/api/v1/Dispute?all=true&status=OPEN&pageSize=100', token })
  return cases.slice(0, Math.min(count, most)).map(({ id }) => id)
}

const chunks = <Value>(values: readonly Value[], size: number): Value[][] =>
  Array.from({ length: Math.ceil(values.length / size) }, (_, at) => values.slice(at * size, (at + 1) * size))
