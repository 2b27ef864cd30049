import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { StreamEvent } from '#lib/stream/stream-event.ts'
import type { End, LoadTally } from './load-tally.ts'
import type { Staff } from './load-world.ts'
import { Operator } from './operator.ts'

/** A person does something every five seconds or so. */
const PAUSE_MS = [2_000, 6_500] as const
/** The console lets nobody make more than 60 changes in ten minutes. */
const CHANGES_MOST = 50
const STREAM_AGAIN_MS = 1_000

/** What there is to work on; each deposit and each card is somebody's once. */
export interface LoadWork {
  readonly histories: readonly string[]
  readonly references: readonly string[]
  readonly cases: readonly string[]
  readonly deposits: { readonly reference: string; readonly amount: string }[]
  readonly cards: string[]
}

interface Ended {
  readonly end: End
  readonly why?: string
}

type Act = () => Promise<Ended>

const WELL: Ended = { end: 'well' }

interface Reply {
  readonly ok: boolean
  readonly fields?: Readonly<Record<string, string>>
  readonly problem?: { readonly kind: string; readonly status: number | null }
  readonly draft?: { readonly id: string }
  readonly command?: { readonly outcome: { readonly class: string } }
}

const anyOf = <Value>(values: readonly Value[]): Value => {
  const value = values[Math.floor(Math.random() * values.length)]
  if (value === undefined) throw new Error('there is nothing to work on')
  return value
}

/** One person at work: a session with a stream, and something done every few seconds. */
export class LoadOperator {
  readonly #operator: Operator
  readonly #work: LoadWork
  readonly #tally: LoadTally
  readonly #acts: readonly (readonly [share: number, what: string, act: Act])[]
  #changes = 0
  #assigned: string | null = null
  #stopped = false
  #close = (): void => {}
  /** As the journal names the person. */
  actor = ''

  private constructor(operator: Operator, { role }: Staff, work: LoadWork, tally: LoadTally) {
    this.#operator = operator
    this.#work = work
    this.#tally = tally
    const both = [
      [20, 'history', () => this.page(`/users/${anyOf(work.histories)}`)],
      [10, 'home', () => this.page('/')],
      [12, 'search', () => this.#search()],
      [8, 'transaction', () => this.page(`/transactions/${encodeURIComponent(anyOf(work.references))}`)],
    ] as const
    this.#acts =
      role === 'SUPPORT'
        ? [
            ...both,
            [10, 'deposits', () => this.page('/deposits')],
            [8, 'cards', () => this.page('/cards')],
            [8, 'terminals', () => this.page('/terminals?merchant=merchant-001')],
            [16, 'confirm a deposit', () => this.#confirmDeposit()],
            [8, 'block a card', () => this.#blockCard()],
          ]
        : [
            ...both,
            [18, 'queue', () => this.page('/disputes')],
            [16, 'case', () => this.page(`/disputes/${anyOf(work.cases)}`)],
            [16, 'take or release a case', () => this.#takeOrRelease()],
          ]
  }

  static async signIn(consoleUrl: string, staff: Staff, work: LoadWork, tally: LoadTally): Promise<LoadOperator> {
    return new LoadOperator(await Operator.signIn(consoleUrl, staff.email, { keepAlive: false }), staff, work, tally)
  }

  /** Opens the stream of a tab, and opens it again when it ends, as the page does. */
  async follow(topics: readonly string[]): Promise<void> {
    const heard = (event: StreamEvent): void => {
      if (event.type === 'open') this.actor = event.actor
      if (event.type === 'closed') this.#tally.note('a stream said that it was over')
    }
    const ended = async (): Promise<void> => {
      this.#tally.streams -= 1
      if (this.#stopped) return
      this.#tally.streamsOpenedAgain += 1
      await wait(STREAM_AGAIN_MS)
      await this.follow(topics)
    }
    try {
      this.#close = await this.#operator.follow(
        topics,
        ({ type }) => type === 'open',
        heard,
        () => void ended(),
      )
      this.#tally.streams += 1
    } catch (error) {
      this.#tally.add('stream', 0, 'broken', String(error).slice(0, 120))
    }
  }

  async work(until: number): Promise<void> {
    const [least, most] = PAUSE_MS
    await wait(Math.random() * most)
    while (Date.now() < until) {
      const [what, act] = this.#draw()
      const began = performance.now()
      const ended = await act().catch((error: unknown): Ended => ({ end: 'broken', why: String(error).slice(0, 120) }))
      this.#tally.add(what, performance.now() - began, ended.end, ended.why)
      await wait(least + Math.random() * (most - least))
    }
  }

  #draw(): readonly [string, Act] {
    let left = Math.random() * this.#acts.reduce((sum, [share]) => sum + share, 0)
    for (const [share, what, act] of this.#acts) {
      left -= share
      if (left < 0) return [what, act]
    }
    return this.#draw()
  }

  /** Looks at a page as it comes from the server: also one that begins well may have a part that failed. */
  async page(path: string): Promise<Ended> {
    const { status, text } = await this.#operator.answer(path)
    if (status === 307 || status === 302) return { end: 'signed-out' }
    if (status !== 200) return { end: 'broken', why: `${status}` }
    if (/data-dgst="|\$RX\("B:/.test(text)) return { end: 'broken', why: 'a part of the page has failed' }
    return text.includes('role="alert"') ? { end: 'told', why: 'the page says that the service failed' } : WELL
  }

  /** Whether Home tells of a change. */
  async tellsOnHome(commandId: string): Promise<boolean> {
    return (await this.#operator.ask('/')).includes(commandId)
  }

  async #search(): Promise<Ended> {
    const text = anyOf(this.#work.references)
    const { status, text: frames } = await this.#send('POST', '/api/look-up', { text })
    if (status !== 200) return ofStatus(status)
    return frames.includes('"problem":{') ? { end: 'told', why: 'a source could not be read' } : WELL
  }

  async #confirmDeposit(): Promise<Ended> {
    const deposit = this.#mayChange() ? this.#work.deposits.pop() : undefined
    if (deposit === undefined) return await this.page('/deposits')
    const { reference, amount } = deposit
    const bankReference = `LOAD ${reference.slice(-24)}`
    return await this.#change('deposit.confirm', { referenceId: reference, bankReference, statementAmount: amount })
  }

  async #blockCard(): Promise<Ended> {
    const cardId = this.#mayChange() ? this.#work.cards.pop() : undefined
    if (cardId === undefined) return await this.page('/cards')
    return await this.#change('card.block', { cardId, last4: '', reason: 'Reported stolen.' })
  }

  async #takeOrRelease(): Promise<Ended> {
    if (!this.#mayChange()) return await this.page('/disputes')
    const caseId = this.#assigned ?? anyOf(this.#work.cases)
    const kind = this.#assigned === null ? 'case.assign' : 'case.unassign'
    const answered = await this.#send('PUT', `/api/commands/${randomUUID()}`, { kind, params: { caseId } })
    if (classOf(answered.text) === 'done') this.#assigned = this.#assigned === null ? caseId : null
    return endOf(answered)
  }

  #mayChange(): boolean {
    this.#changes += 1
    return this.#changes <= CHANGES_MOST
  }

  /** Prepared, looked at, confirmed. */
  async #change(kind: string, params: Readonly<Record<string, string>>): Promise<Ended> {
    const prepared = await this.#send('POST', '/api/commands', { kind, params })
    const draft = prepared.status === 200 ? (JSON.parse(prepared.text) as Reply).draft : undefined
    if (draft === undefined) return endOf(prepared)
    return endOf(await this.#send('POST', `/api/commands/${draft.id}`, {}))
  }

  async #send(method: 'POST' | 'PUT', path: string, body: unknown): Promise<{ status: number; text: string }> {
    return await this.#operator.answer(path, { method, type: 'application/json', body: JSON.stringify(body) })
  }

  /** Leaves: the session stays as it is. */
  stop(): void {
    this.#stopped = true
    this.#close()
    this.#operator.close()
  }
}

const classOf = (text: string): string => (JSON.parse(text) as Reply).command?.outcome.class ?? ''

function ofStatus(status: number): Ended {
  if (status === 401) return { end: 'signed-out' }
  return { end: status >= 500 ? 'broken' : 'told', why: String(status) }
}

/** What the command endpoint answered: a change that is not known yet is told as that. */
function endOf({ status, text }: { readonly status: number; readonly text: string }): Ended {
  if (status !== 200) return ofStatus(status)
  const { ok, fields = {}, problem, command } = JSON.parse(text) as Reply
  const said = command?.outcome.class ?? ''
  if (ok && (said === 'done' || said === 'accepted')) return WELL
  if (said !== '') return { end: 'told', why: `the change is ${said}` }
  if (Object.keys(fields).length > 0) return { end: 'told', why: 'a field is refused' }
  return { end: 'told', why: `it could not be prepared: ${problem?.kind} ${problem?.status ?? ''}` }
}
