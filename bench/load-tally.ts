import { quantile } from './measure.ts'

/**
 * `well`; `told`: the page or the answer says that the service failed, or refuses; `broken`: the console itself failed;
 * `signed-out`: the session was over.
 */
export type End = 'well' | 'told' | 'broken' | 'signed-out'

/** What people did, and how it ended. */
export class LoadTally {
  #taken: number[] = []
  #minute: Record<End, number> = { well: 0, told: 0, broken: 0, 'signed-out': 0 }
  readonly all: Record<End, number> = { well: 0, told: 0, broken: 0, 'signed-out': 0 }
  readonly taken: number[] = []
  /** What was told, and what broke, by kind of action: how often. */
  readonly why = new Map<string, number>()
  streams = 0
  streamsOpenedAgain = 0

  add(what: string, ms: number, end: End, why = ''): void {
    this.#taken.push(ms)
    this.taken.push(ms)
    this.#minute[end] += 1
    this.all[end] += 1
    if (end !== 'well') this.note(`${end}: ${what}: ${why}`)
  }

  note(what: string): void {
    this.why.set(what, (this.why.get(what) ?? 0) + 1)
  }

  /** Of the time since this was asked last. */
  takeMinute(): Readonly<Record<End, number>> & {
    readonly actions: number
    readonly p50: number
    readonly p95: number
  } {
    const [taken, ends] = [this.#taken, this.#minute]
    this.#taken = []
    this.#minute = { well: 0, told: 0, broken: 0, 'signed-out': 0 }
    return { ...ends, actions: taken.length, p50: quantile(taken, 0.5), p95: quantile(taken, 0.95) }
  }
}
