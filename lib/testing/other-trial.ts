import { randomUUID } from 'node:crypto'
import { expect, vi } from 'vitest'
import type { Outcome } from '#lib/commands/command.ts'
import { executeCommand } from '#lib/commands/execute.ts'
import { reconcileCommand } from '#lib/commands/reconcile.ts'
import type { CommandRow } from '#lib/commands/row.ts'
import { findCommand } from '#lib/commands/store.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { draftOf } from './command-run.ts'
import type { Change, ChangeRequest } from './other-changes.ts'
import {
  acceptedForLater,
  answer,
  doneWithoutBody,
  emptySuccesses,
  type Fault,
  failures,
  late,
  lostAfter,
  lostBefore,
  page,
  refusals,
  unauthorized,
  type Written,
} from './other-service/faults.ts'
import type { OtherService } from './other-service/other-service.ts'
import { noContent, ok } from './other-service/reply.ts'
import { rightCode } from './other-service/security.ts'
import { otherVariant } from './other-service/variants.ts'
import { World } from './other-service/world.ts'

/** What the console shows: it happened, or it did not. Everything else is not known, or under way. */
export const isDone = (state: string): boolean => state === 'done' || state === 'applied'
export const isFailed = (state: string): boolean => ['refused', 'not_applied', 'closed'].includes(state)

/** The states of things that a change leads to. */
const END_STATES = ['PROCESSING', 'PROCESSED', 'DISABLED', 'RESOLVED']
/** Longer than the console waits for the answer to any change. */
const PAST_EVERY_TIMEOUT_MS = 61_000

/** One change that one person makes at the other service, and what the console shows of it. */
export class Trial {
  readonly #service: OtherService
  readonly #session: Session
  readonly #change: Change
  readonly id: string
  readonly request: ChangeRequest
  readonly #proof: string | null
  /** What was shown at once. */
  outcome: Outcome | null = null

  private constructor(
    made: { service: OtherService; session: Session; change: Change },
    id: string,
    request: ChangeRequest,
    proof: string | null,
  ) {
    this.#service = made.service
    this.#session = made.session
    this.#change = made.change
    this.id = id
    this.request = request
    this.#proof = proof
  }

  /** The object on which the service counts effects. */
  get on(): string {
    return this.request.on
  }

  static async draft(service: OtherService, session: Session, change: Change): Promise<Trial> {
    if (change.before !== undefined) service.personOf(session).factor = change.before
    const request = change.ask(service.world, session)
    const drafted = await draftOf(session, change.kind, request.params)
    if (!drafted.ok) throw new Error(JSON.stringify(drafted))
    const proof = drafted.draft.proof?.expected ?? null
    return new Trial({ service, session, change }, drafted.draft.id, request, proof)
  }

  static async send(service: OtherService, session: Session, change: Change, fault: Fault | null): Promise<Trial> {
    const trial = await Trial.draft(service, session, change)
    await trial.meet(fault === null ? [] : [fault])
    return trial
  }

  /** Sends it, and each attempt meets one of the faults. */
  async meet(faults: readonly Fault[]): Promise<void> {
    this.#service.faults = [...faults]
    const code = this.#change.kind.startsWith('totp.') ? rightCode(this.#service.world) : null
    if (!faults.some(({ ends }) => ends === 'silence')) return void (await this.execute(code))
    const silence = this.#service.silence()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const sending = this.execute(code)
      await silence
      vi.advanceTimersByTime(PAST_EVERY_TIMEOUT_MS)
      await sending
    } finally {
      vi.useRealTimers()
    }
  }

  /** Sends it while nothing listens at the address of the service. */
  async sendToNobody(): Promise<void> {
    const { port } = new URL(this.#service.url)
    await this.#service.stop()
    const code = this.#change.kind.startsWith('totp.') ? rightCode(this.#service.world) : null
    try {
      await this.execute(code, true)
    } finally {
      await this.#service.listenAgain(Number(port))
    }
  }

  async execute(code: string | null = null, fresh = false): Promise<Outcome> {
    const reply = await executeCommand(this.#session, this.id, { code, proof: this.#proof, fresh }, () => {})
    if (!reply.ok) throw new Error(JSON.stringify(reply))
    this.outcome = reply.command.outcome
    return this.outcome
  }

  async row(): Promise<CommandRow> {
    const row = await findCommand(await store(), this.id)
    if (row === undefined) throw new Error('the command is gone')
    return row
  }

  /** Looks as the console does by itself, as if the change had been sent so many minutes ago. */
  async look(minutesAgo: number): Promise<void> {
    const row = await this.row()
    if (row.state !== 'unknown' && row.state !== 'accepted') return
    const sentAt = new Date(Date.now() - minutesAgo * 60_000).toISOString()
    await reconcileCommand(this.#session, { ...row, sent_at: sentAt })
  }

  effects(): number {
    return this.#service.world.effectsOn(this.on).filter(({ by }) => by === this.#session.userId).length
  }

  /**
   * One effect at most; what is shown as done was done by this person, and what is shown as failed was not. What is not known shows no
   * state that the change would lead to. Answers the state of the command.
   */
  async expectTruth(): Promise<string> {
    const { state, outcome } = await this.row()
    const effects = this.effects()
    expect(effects).toBeLessThanOrEqual(1)
    if (isDone(state)) expect(effects, `shown as ${state}`).toBe(1)
    if (isFailed(state)) expect(effects, `shown as ${state}`).toBe(0)
    const shown = JSON.parse(outcome ?? '{}') as Partial<Extract<Outcome, { class: 'done' }>>
    if (!isDone(state) && effects === 0) {
      expect((shown.lines ?? []).filter(({ value }) => END_STATES.includes(value))).toEqual([])
    }
    return state
  }

  /** Makes the change and meets the encounter; expects the truth at once, soon, and minutes later. */
  static async expectTruthAfter(
    service: OtherService,
    session: Session,
    change: Change,
    { faults, sent, made }: Encounter,
  ): Promise<void> {
    const trial = await Trial.draft(service, session, change)
    await trial.meet(faults(trial.request))
    await trial.expectTruth()
    service.work()
    await trial.look(0)
    await trial.expectTruth()
    await trial.look(5)
    const state = await trial.expectTruth()
    if (change.readable && made) expect(isDone(state), `ended as ${state}`).toBe(true)
    expect(service.changesSent).toBe(sent)
  }
}

/** What the attempts to send a change meet, one fault each. */
export interface Encounter {
  readonly name: string
  readonly faults: (request: ChangeRequest) => readonly Fault[]
  /** How often the change goes out. */
  readonly sent: number
  /** The service shows the effect of the change by the time that the test ends. */
  readonly made: boolean
}

const encounter = (name: string, ...faults: readonly Fault[]): Encounter => ({
  name,
  faults: () => faults,
  sent: faults.length,
  made: faults.some(({ makes }) => makes !== 'never'),
})

const both = (answers: Readonly<Record<string, Written>>): readonly Encounter[] =>
  Object.entries(answers).flatMap(([name, ends]) => [
    encounter(name, { makes: 'never', ends }),
    encounter(`${name}, after acting`, { makes: 'now', ends }),
  ])

const NOBODY = { userId: randomUUID() } as Session

/** Successes by their status that prove nothing: they say nothing about the change, or something else. */
export function unprovenSuccesses({ ask, kind }: Pick<Change, 'ask' | 'kind'>): readonly Encounter[] {
  const names = Object.keys(ask(new World(otherVariant), NOBODY).contradictions)
  const contradictions = names.flatMap((name) =>
    (['never', 'now'] as const).map(
      (makes): Encounter => ({
        name: makes === 'never' ? name : `${name}, after acting`,
        faults: ({ contradictions }) => [{ makes, ends: answer(ok(contradictions[name])) }],
        sent: 1,
        made: makes === 'now',
      }),
    ),
  )
  // Nobody can read the effect of a block, so the success of the interface is its end.
  const without: readonly Encounter[] =
    kind === 'card.block' ? [] : [encounter('a success without a body', { makes: 'never', ends: answer(noContent) })]
  return [...both(emptySuccesses), ...without, ...contradictions]
}

/** Everything else that can come between a change and its answer. */
export const interruptions: readonly Encounter[] = [
  encounter('a success without a body, after acting', doneWithoutBody),
  encounter('lost before it was made', lostBefore),
  encounter('lost after it was made', lostAfter),
  encounter('made after its connection was cut', late),
  encounter('accepted and made later', acceptedForLater),
  encounter('a reset before it was made', { makes: 'never', ends: 'reset' }),
  encounter('a reset after it was made', { makes: 'now', ends: 'reset' }),
  encounter('an answer that is reset in its middle', { makes: 'now', ends: 'half' }),
  encounter('silence', { makes: 'never', ends: 'silence' }),
  encounter('silence, after acting', { makes: 'now', ends: 'silence' }),
  encounter('a token that has ended', unauthorized, { makes: 'now', ends: 'answer' }),
  encounter('a token that has ended, then a lost answer', unauthorized, lostAfter),
  encounter('a token that has ended, then a page', unauthorized, { makes: 'never', ends: page(200) }),
  encounter('two tokens that have ended', unauthorized, unauthorized),
  ...both(failures),
  ...Object.entries(refusals).map(([name, ends]) => encounter(name, { makes: 'never', ends })),
]
