import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect } from 'vitest'
import { askForApproval } from '#lib/commands/approvals/ask-approval.ts'
import { decideApproval } from '#lib/commands/approvals/decide-approval.ts'
import { findEvents } from '#lib/commands/command-lists.ts'
import { findCommand } from '#lib/commands/command-table.ts'
import { draftCommand } from '#lib/commands/draft.ts'
import { executeCommand } from '#lib/commands/execute.ts'
import { watches } from '#lib/commands/reconcile-schedule.ts'
import { withdrawCommand } from '#lib/commands/withdraw.ts'
import { putPerProcess } from '#lib/config/per-process.ts'
import type { Sent } from '#lib/service/send.ts'
import { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { type Act, type Answered, PEOPLE, schedules } from './approval-acts.ts'
import { age, bodiesOf } from './approval-world.ts'
import { kindOrFail } from './command-run.ts'

/** Each person sends 200.00 at most; from 100.00 on one other approves; beyond two changes two do. */
export const SCHEDULE_RULES = [
  { kind: 'deposit.confirm', limit: { sum: '200.00' } },
  { kind: 'deposit.confirm', when: { amountAtLeast: '100.00' }, approval: { by: 1 } },
  { kind: 'deposit.confirm', limit: { count: 2 }, approval: { by: 2 } },
] as const
const SUM_MAX = 200
const ALONE_MAX = 2

interface Made {
  readonly id: string
  readonly effect: string
  readonly maker: number
  readonly amount: number
  readonly reference: string
  /** Who approved it, as they were told. */
  readonly approvedBy: Set<number>
  declined: boolean
  /** Its time was over, or it was taken back, before the step that is under way. */
  over: boolean
}

/** One schedule, with people of its own, and what reached the service. */
class World {
  readonly #people = Array.from({ length: PEOPLE }, () => randomUUID())
  readonly made: Made[] = []
  /** By the bank's reference, of which each draft has its own. */
  readonly effects = new Map<string, number>()
  readonly late: string[] = []
  #answered: Answered = 'done'
  readonly #states = new Map<string, string>()

  session(person: number, number: number): Session {
    const userId = this.#people[person] ?? ''
    const facts = { id: `${userId} ${number}`, actor: `sso:${userId}`, displayName: `Person ${person}`, userId }
    const signedIn = { method: number === 0 ? 'sso' : 'password', admittedBy: 'claim', adminByClaim: false } as const
    const times = { endsAt: '2099-01-01T00:00:00.000Z', lastActiveAt: '2026-01-01T00:00:00.000Z' }
    return new Session({ ...facts, ...signedIn, ...times }, Buffer.alloc(32))
  }

  /** The service, in the place of what talks to it. */
  answerFor(): void {
    Object.assign(kindOrFail('deposit.confirm'), {
      readFacts: async (_session: Session, { referenceId }: { referenceId: string }) => ({
        ok: true,
        serviceTime: null,
        value: this.#factsOf(referenceId),
      }),
      send: async (_session: Session, params: { referenceId: string; bankReference: string }) => this.#take(params),
      reconcile: async () => ({ settled: false, showsNoEffect: true, shows: 'nothing' }),
    })
  }

  #factsOf(referenceId: string) {
    const debit = referenceId.split('~')[1] ?? ''
    const state = this.#states.get(referenceId) ?? 'QUEUED'
    return { referenceId, state, debit, credit: debit, toAccountId: 'nobody', createdAt: '2026-11-20T10:00:00Z' }
  }

  #take({ referenceId, bankReference }: { referenceId: string; bankReference: string }): Sent<unknown> {
    const answered = this.#answered
    if (answered === 'lost before it') return { kind: 'lost', why: 'as scripted' }
    this.effects.set(bankReference, (this.effects.get(bankReference) ?? 0) + 1)
    this.#states.set(referenceId, 'PROCESSING')
    if (answered === 'lost after it') return { kind: 'lost', why: 'as scripted' }
    const data = { referenceId, state: 'PROCESSING', message: '', accepted: false }
    return { kind: 'answer', status: 200, data, problem: null, traceId: null, serviceTime: null }
  }

  async step(step: readonly Act[]): Promise<void> {
    const over = await Promise.all(step.map((act) => this.#do(act)))
    for (const made of over) if (made !== undefined) made.over = true
  }

  /** Answers a change that can never be sent after this step. */
  async #do(act: Act): Promise<Made | undefined> {
    if (act.act === 'make') return void (await this.#draft(act.who, act.amount, `DEP~${act.amount}~${randomUUID()}`))
    if (act.act === 'whole') return await this.#whole(act)
    const made = this.made[this.made.length - 1 - (act.at % Math.max(1, this.made.length))]
    if (made === undefined) return
    switch (act.act) {
      case 'edit':
        return void (await this.#draft(made.maker, made.amount, made.reference))
      case 'ask':
        return void (await askForApproval(this.session(made.maker, act.session), made.id, { reason: 'x', proof: null }))
      case 'expire':
        return (await age(made.id, 9)) ? made : undefined
      case 'withdraw':
        await withdrawCommand(this.session(made.maker, act.session), made.id)
        return (await findCommand(await store(), made.id))?.state === 'closed' ? made : undefined
      case 'send':
        return void (await this.#send(made, act))
      default:
        return void (await this.#decide(made, act))
    }
  }

  async #whole({ who: maker, amount, approvers }: Extract<Act, { act: 'whole' }>): Promise<undefined> {
    const made = await this.#draft(maker, amount, `DEP~${amount}~${randomUUID()}`)
    if (made === undefined) return
    if (approvers > 0) await askForApproval(this.session(maker, 0), made.id, { reason: 'x', proof: null })
    for (let by = 1; by <= approvers; by += 1)
      await this.#decide(made, { act: 'approve', at: 0, who: (maker + by) % PEOPLE, session: 0 })
    await this.#send(made, { act: 'send', at: 0, session: 1, answered: 'done' })
  }

  async #draft(maker: number, amount: number, reference: string): Promise<Made | undefined> {
    const params = { referenceId: reference, bankReference: randomUUID(), statementAmount: String(amount) }
    const reply = await draftCommand(this.session(maker, 0), kindOrFail('deposit.confirm'), params)
    if (!reply.ok) return
    const { id, effect } = reply.draft
    const fresh = { approvedBy: new Set<number>(), declined: false, over: false }
    const made = { id, effect, maker, amount, reference, ...fresh }
    this.made.push(made)
    return made
  }

  async #send(made: Made, { session, answered }: Extract<Act, { act: 'send' }>): Promise<void> {
    const { over } = made
    const before = this.#effectsOf(made.id)
    this.#answered = answered
    const running: Promise<unknown>[] = []
    await executeCommand(this.session(made.maker, session), made.id, { code: null, proof: null }, (it) =>
      running.push(it),
    )
    await Promise.all(running)
    if (over && (await this.#effectsOf(made.id)) > (await before)) this.late.push(made.id)
  }

  async #effectsOf(id: string): Promise<number> {
    const row = await findCommand(await store(), id)
    return this.effects.get((JSON.parse(row?.params ?? '{}') as { bankReference?: string }).bankReference ?? '') ?? 0
  }

  async #decide(made: Made, { act, who: by, session }: Extract<Act, { act: 'approve' | 'decline' }>): Promise<void> {
    const approves = act === 'approve'
    const reply = await decideApproval(this.session(by, session), made.id, {
      approves,
      effect: made.effect,
      reason: 'x',
    })
    if (!reply.ok || reply.notice !== undefined) return
    if (approves) made.approvedBy.add(by)
    else made.declined = true
  }

  async check(): Promise<void> {
    expect([...this.effects.values()].filter((count) => count > 1)).toEqual([])
    expect(this.late).toEqual([])
    for (let person = 0; person < PEOPLE; person += 1) {
      const sent = []
      for (const made of this.made.filter(({ maker }) => maker === person))
        if ((await this.#effectsOf(made.id)) > 0) sent.push(made)
      expect(sent.reduce((sum, { amount }) => sum + amount, 0)).toBeLessThanOrEqual(SUM_MAX)
      expect(sent.filter(({ approvedBy }) => approvedBy.size < 2).length).toBeLessThanOrEqual(ALONE_MAX)
      for (const { amount, approvedBy, declined, maker } of sent) {
        expect([declined, approvedBy.has(maker), amount < 100 || approvedBy.size > 0]).toEqual([false, false, true])
      }
    }
    for (const made of this.made) {
      const events = await findEvents(await store(), made.id)
      const row = await findCommand(await store(), made.id)
      expect(events.at(-1)?.state).toBe(row?.state)
      const decided = (await bodiesOf(made.id)).filter((body) => body.decision !== undefined).length
      expect(decided).toBe(made.approvedBy.size + (made.declined ? 1 : 0))
    }
  }
}

/** Everybody holds what confirming takes; nobody is asked at a service. */
function allMayConfirm(): void {
  const scopes = new Set(['core:transactions:confirm', 'core:transactions:read'])
  const known = { access: { roles: [], scopes }, until: Number.POSITIVE_INFINITY }
  putPerProcess('scopes', { get: () => known, set: () => undefined, has: () => true, delete: () => true })
}

/** Runs so many schedules of four people with two sessions each; fails with the shortest one that breaks a promise. */
export async function runSchedules(count: number): Promise<{ readonly effects: number; readonly approved: number }> {
  const seen = { effects: 0, approved: 0 }
  const kind = kindOrFail('deposit.confirm')
  const { readFacts, send, reconcile } = kind
  allMayConfirm()
  try {
    await fc.assert(
      fc.asyncProperty(schedules, async (schedule) => {
        const world = new World()
        world.answerFor()
        for (const step of schedule) await world.step(step)
        await world.check()
        watches().clear()
        seen.effects += world.effects.size
        seen.approved += world.made.filter(({ approvedBy }) => approvedBy.size > 0).length
      }),
      { numRuns: count, endOnFailure: false },
    )
  } finally {
    Object.assign(kind, { readFacts, send, reconcile })
    putPerProcess('scopes', undefined)
  }
  return seen
}
