import { expect } from 'vitest'
import type { Outcome } from '#lib/commands/command.ts'
import { type CommandRow, findCommand } from '#lib/commands/command-table.ts'
import { executeCommand } from '#lib/commands/execute.ts'
import { reconcileCommand } from '#lib/commands/reconcile.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { draftOf } from './command-run.ts'
import type { Change } from './other-changes.ts'
import type { Fault } from './other-service/faults.ts'
import type { OtherService } from './other-service/other-service.ts'
import { rightCode } from './other-service/security.ts'

/** What the person was told: it happened, or it did not. Everything else is not known, or under way. */
export const isDone = (state: string): boolean => state === 'done' || state === 'applied'
export const isFailed = (state: string): boolean => ['refused', 'not_applied', 'closed'].includes(state)

/** One change that one person makes at the other service, and what the console tells of it. */
export class Trial {
  readonly #service: OtherService
  readonly #session: Session
  readonly id: string
  /** The object on which the service counts effects. */
  readonly on: string
  readonly #proof: string | null
  /** What was told at once. */
  outcome: Outcome | null = null

  private constructor(service: OtherService, session: Session, id: string, on: string, proof: string | null) {
    this.#service = service
    this.#session = session
    this.id = id
    this.on = on
    this.#proof = proof
  }

  static async draft(service: OtherService, session: Session, change: Change): Promise<Trial> {
    const { params, on } = change.ask(service.world, session)
    const drafted = await draftOf(session, change.kind, params)
    if (!drafted.ok) throw new Error(JSON.stringify(drafted))
    return new Trial(service, session, drafted.draft.id, on, drafted.draft.proof?.expected ?? null)
  }

  static async send(service: OtherService, session: Session, change: Change, fault: Fault | null): Promise<Trial> {
    const trial = await Trial.draft(service, session, change)
    service.fault = fault
    await trial.execute(change.kind.startsWith('totp.') ? rightCode(service.world) : null)
    return trial
  }

  async execute(code: string | null = null): Promise<Outcome> {
    const reply = await executeCommand(this.#session, this.id, { code, proof: this.#proof }, () => {})
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

  /**
   * One effect at most; what is told as done was done by this person, and what is told as failed was not. Answers the
   * state that is told.
   */
  async expectTruth(): Promise<string> {
    const effects = this.#service.world.effectsOn(this.on).filter(({ by }) => by === this.#session.userId)
    const { state } = await this.row()
    expect(effects.length).toBeLessThanOrEqual(1)
    if (isDone(state)) expect(effects, `told ${state}`).toHaveLength(1)
    if (isFailed(state)) expect(effects, `told ${state}`).toEqual([])
    return state
  }
}
