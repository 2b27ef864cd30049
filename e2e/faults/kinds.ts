import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Programs } from '../support/programs.ts'
import { PASSWORD, type SandboxControls } from '../support/sandbox-controls.ts'
import type { Change } from './certainty.ts'
import type { FaultWorld } from './world.ts'

export interface MadeChange extends Change {
  /** The path at the service that its request goes to; null where none goes out. */
  readonly path: string | null
  /** Which of its events in the journal say that it is sent, and what came of it, from the time at which it is made. */
  readonly events: readonly [sent: number, ended: number]
  /** Confirms it, or makes it where it takes no confirmation. */
  readonly go: () => Promise<void>
}

interface Where {
  readonly world: FaultWorld
  readonly programs: Programs
  readonly sandbox: SandboxControls
}

/** A change of a kind on an object of its own, prepared as its page does. */
type MakeChange = (where: Where) => Promise<MadeChange>

/** The service itself, past every fault, in somebody's name. */
async function atService<Data>(url: string, email: string, method: string, path: string, body?: object): Promise<Data> {
  const call = async (to: string, how: string, given: object | undefined, token = ''): Promise<unknown> => {
    const headers = {
      'content-type': 'application/json',
      ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
    }
    const text = given === undefined ? {} : { body: JSON.stringify(given) }
    const response = await fetch(url + to, { method: how, headers, ...text })
    return ((await response.json()) as { readonly data: unknown }).data
  }
  const login = await call('/api/v1/Users/login', 'POST', { email, password: PASSWORD })
  return (await call(path, method, body, (login as { readonly accessToken: string }).accessToken)) as Data
}

interface Confirmed {
  readonly kind: string
  readonly params: Readonly<Record<string, unknown>>
  readonly path: string
  readonly mark: string
  readonly effects: () => Promise<number>
  readonly byHand?: boolean
  readonly code?: string
}

async function confirmed({ world }: Where, { kind, params, code, ...change }: Confirmed): Promise<MadeChange> {
  const { id, proof } = await world.person.prepare(kind, params)
  world.watch({ id, mark: change.mark })
  const told: MadeChange['told'] = []
  const given = { ...(proof === null ? {} : { proof }), ...(code === undefined ? {} : { code }) }
  const go = async () => void told.push(await world.person.confirm(id, given))
  return { ...change, id, told, events: [1, 2], go }
}

let made = 0
const newHolder = (sandbox: SandboxControls) => {
  made += 1
  return sandbox.newHolder(`fault${made}`)
}

/** Nobody but its holder can read a card at the service: what is lost, a person settles. */
const issueCard: MakeChange = async (where) => {
  const { id: userId, email } = await newHolder(where.sandbox)
  const printedName = `Fault ${made}`
  const effects = async () => (await where.sandbox.cardsOf(email)).length
  const params = { userId, cardType: '1', printedName }
  return await confirmed(where, {
    kind: 'card.issue',
    params,
    path: '/api/v1/cards',
    mark: userId,
    effects,
    byHand: true,
  })
}

const blockCard: MakeChange = async (where) => {
  const { id: userId, email } = await newHolder(where.sandbox)
  const { id: cardId, last4 } = await where.sandbox.issueElsewhere(userId)
  const path = `/api/v1/cards/${cardId}/block`
  const effects = async () => (await where.sandbox.cardsOf(email)).filter(({ status }) => status === 'BLOCKED').length
  const params = { cardId, last4, reason: 'Lost.' }
  return await confirmed(where, { kind: 'card.block', params, path, mark: path, effects, byHand: true })
}

const disableTerminal: MakeChange = async (where) => {
  const atUrl = where.programs.sandboxUrl
  const terminals = '/api/v1/merchant-terminals'
  const terminal = { merchantId: 'merchant-001', terminalUid: `PAX-${randomUUID()}`, label: '' }
  const { id } = await atService<{ readonly id: string }>(atUrl, 'admin@example.com', 'POST', terminals, terminal)
  const path = `${terminals}/${id}/disable`
  const effects = async () => {
    const read = await atService<{ readonly status: string }>(atUrl, 'admin@example.com', 'GET', `${terminals}/${id}`)
    return read.status === 'DISABLED' ? 1 : 0
  }
  const params = { terminalId: id, reason: 'Lost.' }
  return await confirmed(where, { kind: 'terminal.disable', params, path, mark: path, effects })
}

const CODE_TRIES_MAX = 20
const CODE_PAUSE_MS = 2_000

/** With a second factor; its code is asked for before anything goes out. */
const resolveCase: MakeChange = async (where) => {
  const { world, sandbox, programs } = where
  const caseId = await sandbox.raiseCase()
  interface Read {
    readonly referenceId: string
    readonly status: string
    readonly messages: readonly { readonly id: string }[]
  }
  const read = () => atService<Read>(programs.sandboxUrl, 'admin@example.com', 'GET', `/api/v1/Dispute/${caseId}`)
  const { referenceId, messages } = await read()
  const latestMessageId = messages.at(-1)?.id ?? ''
  const reason = `It never came, says the carrier ${randomUUID()}.`
  const path = `/api/v1/Dispute/${caseId}/resolve`
  const effects = async () => ((await read()).status === 'RESOLVED' ? 1 : 0)
  const params = { caseId, referenceId, decision: 'refund', reason, latestMessageId }
  const change = await confirmed(where, { kind: 'dispute.resolve', params, path, mark: path, effects })
  const go = async () => {
    let told = await world.person.confirm(change.id)
    // Each code is taken once, so the next one may have to be waited for.
    for (let tries = 0; told.class === 'step-up' && tries < CODE_TRIES_MAX; tries += 1) {
      const code = await sandbox.code(ARBITRATOR_ID).catch(() => null)
      if (code === null) await wait(CODE_PAUSE_MS)
      else told = await world.person.confirm(change.id, { code })
    }
    change.told.push(told)
  }
  return { ...change, go }
}

async function atOnce(
  where: Where,
  kind: string,
  params: object,
  change: Omit<MadeChange, 'id' | 'told' | 'events' | 'go'>,
): Promise<MadeChange> {
  const { world } = where
  const id = randomUUID()
  world.watch({ id, mark: change.mark })
  const told: MadeChange['told'] = []
  const go = async () => void told.push(await world.person.makeAtOnce(id, kind, { ...params }))
  // A record of the console is written with all of its events at once; others are prepared in the same request.
  return { ...change, id, told, events: change.path === null ? [1, 1] : [2, 3], go }
}

const writeMessage: MakeChange = async (where) => {
  const caseId = await where.sandbox.raiseCase()
  const body = `Any news of ${randomUUID()}?`
  const effects = async () => (await where.sandbox.bodiesOf(caseId)).filter((text) => text === body).length
  const path = `/api/v1/Dispute/${caseId}/messages`
  return await atOnce(where, 'dispute.message', { caseId, body }, { path, mark: body, effects })
}

/** The console's own: who works on a case. */
const claimsOn = async ({ programs }: Where, caseId: string): Promise<number> =>
  (await programs.postgres?.query('SELECT 1 FROM case_claim WHERE case_id = $1', [caseId]))?.length ?? 0

const takeCase: MakeChange = async (where) => {
  const caseId = await where.sandbox.raiseCase()
  const effects = () => claimsOn(where, caseId)
  return await atOnce(where, 'case.assign', { caseId }, { path: null, mark: null, effects })
}

const releaseCase: MakeChange = async (where) => {
  const caseId = await where.sandbox.raiseCase()
  await where.world.person.makeAtOnce(randomUUID(), 'case.assign', { caseId })
  const effects = async () => 1 - (await claimsOn(where, caseId))
  return await atOnce(where, 'case.unassign', { caseId }, { path: null, mark: null, effects })
}

interface KindUnderFault {
  readonly email: string
  readonly make: MakeChange
}

const ARBITRATOR_ID = '00000000-0000-4000-8000-000000000002'
const ARBITRATOR = 'arbitrator@example.com'

/** The kinds that differ in how they are reconciled; `other-service.test.ts` has every kind before a service in the same process. */
export const kinds: Readonly<Record<string, KindUnderFault>> = {
  'card.issue': { email: 'operator@example.com', make: issueCard },
  'card.block': { email: 'operator@example.com', make: blockCard },
  'terminal.disable': { email: 'operator@example.com', make: disableTerminal },
  'dispute.resolve': { email: ARBITRATOR, make: resolveCase },
  'dispute.message': { email: ARBITRATOR, make: writeMessage },
  'case.assign': { email: ARBITRATOR, make: takeCase },
  'case.unassign': { email: ARBITRATOR, make: releaseCase },
}
