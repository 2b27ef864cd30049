import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import fc from 'fast-check'
import { expect } from 'vitest'
import { findApprovals } from '#lib/commands/policy/approval-table.ts'
import { watches } from '#lib/commands/reconcile-schedule.ts'
import { findCommand } from '#lib/commands/store.ts'
import { store } from '#lib/store/store.ts'
import { type Act, type Answered, PEOPLE, schedules } from './approval-acts.ts'
import { confirmAt, type DepositParams, type Doing, type Done, doHere, type ScheduleService } from './approval-doer.ts'
import { ApprovalProcesses } from './approval-processes.ts'
import { age, bodiesOf } from './approval-world.ts'

/** Each person sends 200.00 at most; from 100.00 on one other approves; beyond two changes two do. */
export const SCHEDULE_RULES = [
  { kind: 'deposit.confirm', limit: { sum: '200.00' } },
  { kind: 'deposit.confirm', when: { amountAtLeast: '100.00' }, approval: { by: 1 } },
  { kind: 'deposit.confirm', limit: { count: 2 }, approval: { by: 2 } },
] as const
const SUM_MAX = 200
const ALONE_MAX = 2

/** What reached the service, in all schedules: each reference tells its amount and how it is answered. */
class Service implements ScheduleService {
  /** By the bank's reference, of which each draft has its own. */
  readonly effects = new Map<string, number>()
  readonly answers = new Map<string, Answered>()
  readonly #states = new Map<string, string>()
  readonly #messages = new Map<string, number>()

  say(referenceId: string): void {
    this.#messages.set(referenceId, (this.#messages.get(referenceId) ?? 0) + 1)
  }

  isUntouched(referenceId: string): boolean {
    return !this.#states.has(referenceId)
  }

  async readFacts(referenceId: string) {
    const debit = referenceId.split('~')[1] ?? ''
    const state = this.#states.get(referenceId) ?? 'QUEUED'
    const messages = String(this.#messages.get(referenceId) ?? 0)
    return {
      messages,
      referenceId,
      state,
      debit,
      credit: debit,
      toAccountId: 'nobody',
      createdAt: '2026-11-20T10:00:00Z',
    }
  }

  async send({ referenceId, bankReference }: DepositParams): Promise<'done' | 'lost'> {
    const answered = this.answers.get(bankReference) ?? 'done'
    if (answered === 'lost before it') return 'lost'
    this.effects.set(bankReference, (this.effects.get(bankReference) ?? 0) + 1)
    this.#states.set(referenceId, 'PROCESSING')
    return answered === 'lost after it' ? 'lost' : 'done'
  }
}

/** Where people do things: in this process, or in several that are killed now and then. */
interface Consoles {
  /** Null when no answer came. */
  do(doing: Doing): Promise<Done | null>
  kill(which: number): void
}

interface Made {
  readonly id: string
  readonly effect: string
  readonly maker: number
  readonly amount: number
  readonly reference: string
  readonly bank: string
  /** Who decided, as they were told. */
  readonly told: Set<number>
  /** Its time was over, or it was taken back, before the step that is under way. */
  over: boolean
}

/** One schedule, with people of its own. */
class World {
  readonly #people = Array.from({ length: PEOPLE }, () => randomUUID())
  readonly made: Made[] = []
  readonly late: string[] = []
  readonly #service: Service
  readonly #consoles: Consoles

  constructor(service: Service, consoles: Consoles) {
    this.#service = service
    this.#consoles = consoles
  }

  #by(person: number, session: number) {
    return { userId: this.#people[person] ?? '', session }
  }

  async step(step: readonly Act[]): Promise<void> {
    const over = await Promise.all(step.map((act) => this.#do(act)))
    for (const made of over) if (made !== undefined) made.over = true
  }

  /** Answers a change that can never be sent after this step. */
  async #do(act: Act): Promise<Made | undefined> {
    if (act.act === 'make') return void (await this.#draft(act.who, act.amount, newReference(act.amount)))
    if (act.act === 'whole') return await this.#whole(act)
    if (act.act === 'kill') {
      await wait(act.afterMs)
      return void this.#consoles.kill(act.which)
    }
    const made = this.made[this.made.length - 1 - (act.at % Math.max(1, this.made.length))]
    if (made === undefined) return
    const own = { ...this.#by(made.maker, 'session' in act ? act.session : 0), id: made.id }
    switch (act.act) {
      case 'message':
        return this.#service.say(made.reference) as undefined
      case 'edit':
        return void (await this.#draft(made.maker, made.amount, made.reference))
      case 'ask':
        return void (await this.#consoles.do({ doing: 'ask', ...own }))
      case 'expire':
        return (await age(made.id, 9)) ? made : undefined
      case 'withdraw':
        await this.#consoles.do({ doing: 'withdraw', ...own })
        return (await findCommand(await store(), made.id))?.state === 'closed' ? made : undefined
      case 'send':
        return void (await this.#send(made, act))
      default:
        return void (await this.#decide(made, act))
    }
  }

  async #whole({ who: maker, amount, approvers }: Extract<Act, { act: 'whole' }>): Promise<undefined> {
    const made = await this.#draft(maker, amount, newReference(amount))
    if (made === undefined) return
    if (approvers > 0) await this.#consoles.do({ doing: 'ask', ...this.#by(maker, 0), id: made.id })
    for (let by = 1; by <= approvers; by += 1)
      await this.#decide(made, { act: 'approve', at: 0, who: (maker + by) % PEOPLE, session: 0 })
    await this.#send(made, { act: 'send', at: 0, session: 1, answered: 'done' })
  }

  async #draft(maker: number, amount: number, reference: string): Promise<Made | undefined> {
    const bank = randomUUID()
    const params = { referenceId: reference, bankReference: bank, statementAmount: String(amount) }
    const done = await this.#consoles.do({ doing: 'draft', ...this.#by(maker, 0), params })
    if (done === null || !('id' in done)) return
    const made = { ...done, maker, amount, reference, bank, told: new Set<number>(), over: false }
    this.made.push(made)
    return made
  }

  async #send({ id, maker, bank, over }: Made, { session, answered }: Extract<Act, { act: 'send' }>): Promise<void> {
    const before = this.#effectsOf(bank)
    this.#service.answers.set(bank, answered)
    await this.#consoles.do({ doing: 'send', ...this.#by(maker, session), id })
    if (over && this.#effectsOf(bank) > before) this.late.push(id)
  }

  #effectsOf(bank: string): number {
    return this.#service.effects.get(bank) ?? 0
  }

  async #decide(made: Made, { act, who, session }: Extract<Act, { act: 'approve' | 'decline' }>): Promise<void> {
    const { id, effect } = made
    const approves = act === 'approve'
    const done = await this.#consoles.do({ doing: 'decide', ...this.#by(who, session), id, effect, approves })
    if (done !== null && 'taken' in done && done.taken) made.told.add(who)
  }

  /** Nothing without a valid approval, beyond a limit, late or twice; and the journal has it all. */
  async check(): Promise<Seen> {
    expect(this.made.filter(({ bank }) => this.#effectsOf(bank) > 1)).toEqual([])
    expect(this.late).toEqual([])
    const sums = Array<number>(PEOPLE).fill(0)
    const alone = Array<number>(PEOPLE).fill(0)
    const seen = { effects: 0, approved: 0 }
    for (const made of this.made) {
      const approvedBy = await this.#checkDecisions(made)
      if (approvedBy > 0) seen.approved += 1
      if (this.#effectsOf(made.bank) === 0) continue
      seen.effects += 1
      expect(made.amount < 100 || approvedBy > 0).toBe(true)
      sums[made.maker] = (sums[made.maker] ?? 0) + made.amount
      if (approvedBy < 2) alone[made.maker] = (alone[made.maker] ?? 0) + 1
    }
    await this.#checkRequests()
    expect([Math.max(...sums) <= SUM_MAX, Math.max(...alone) <= ALONE_MAX]).toEqual([true, true])
    return seen
  }

  /** One effect has one open request, and no message ends an approved one. */
  async #checkRequests(): Promise<void> {
    const waiting: string[] = []
    for (const { id, reference } of this.made) {
      const row = await findCommand(await store(), id)
      if (row?.state === 'awaiting_approval') waiting.push(reference)
      const isChanged = row?.outcome?.startsWith('{"class":"changed"') === true
      if (isChanged && this.#service.isUntouched(reference)) {
        expect(await findApprovals(await store(), id)).toEqual([])
      }
    }
    expect(waiting).toEqual([...new Set(waiting)])
  }

  /** Each decision has its event, and each that somebody was told of is there. Answers how many others approved. */
  async #checkDecisions({ id, maker, told, bank }: Made): Promise<number> {
    const db = await store()
    const [row, bodies, decisions] = [await findCommand(db, id), await bodiesOf(id), await findApprovals(db, id)]
    expect(bodies.at(-1)?.state).toBe(row?.state)
    expect(bodies.filter(({ decision }) => decision !== undefined).length).toBe(decisions.length)
    const actors = decisions.map(({ actor }) => actor)
    for (const who of told) expect(actors).toContain(`sso:${this.#people[who]}`)
    expect(actors).not.toContain(`sso:${this.#people[maker]}`)
    if (this.#effectsOf(bank) > 0) expect(decisions.every(({ approves }) => approves)).toBe(true)
    return decisions.filter(({ approves }) => approves).length
  }
}

const newReference = (amount: number): string => `DEP~${amount}~${randomUUID()}`

/** How many changes took effect, and how many somebody approved. */
interface Seen {
  effects: number
  approved: number
}

/** Runs so many schedules of four people with two sessions each; fails with the shortest one that breaks a promise. */
export async function runSchedules(count: number): Promise<Seen> {
  const service = new Service()
  const putBack = confirmAt(service)
  try {
    return await runAt(service, { do: doHere, kill: () => undefined }, count)
  } finally {
    putBack()
  }
}

/** So many schedules are under way at once. */
const AT_ONCE = 4

/** The same with each session at one of two processes, which are killed now and then. */
export async function runSchedulesInProcesses(count: number): Promise<Seen & { readonly kills: number }> {
  const service = new Service()
  const processes = new ApprovalProcesses(SCHEDULE_RULES, service)
  try {
    const parts = await Promise.all(
      Array.from({ length: AT_ONCE }, () => runAt(service, processes, Math.ceil(count / AT_ONCE))),
    )
    const sum = (of: (part: Seen) => number) => parts.reduce((total, part) => total + of(part), 0)
    return { effects: sum((it) => it.effects), approved: sum((it) => it.approved), kills: processes.kills }
  } finally {
    processes.stop()
  }
}

async function runAt(service: Service, consoles: Consoles, count: number): Promise<Seen> {
  const seen = { effects: 0, approved: 0 }
  await fc.assert(
    fc.asyncProperty(schedules, async (schedule) => {
      const world = new World(service, consoles)
      for (const step of schedule) await world.step(step)
      const { effects, approved } = await world.check()
      watches().clear()
      seen.effects += effects
      seen.approved += approved
    }),
    { numRuns: count, endOnFailure: false },
  )
  return seen
}
