import { type ChildProcess, fork } from 'node:child_process'
import { config } from '#lib/config/config.ts'
import type { DepositParams, Doing, Done, ScheduleService } from './approval-doer.ts'
import type { FromProcess, ProcessOrder, ToProcess } from './approval-process.ts'

/** One process; what it was told and has not done when it is killed is answered with null. */
class Running {
  readonly ready: Promise<void>
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, (done: Done | null) => void>()
  #count = 0

  constructor(order: ProcessOrder, service: ScheduleService) {
    const execArgv = ['--conditions=react-server']
    this.#child = fork('lib/testing/approval-process.ts', [JSON.stringify(order)], { execArgv, stdio: 'inherit' })
    const { promise, resolve } = Promise.withResolvers<void>()
    this.ready = promise
    this.#child.on('message', (message: FromProcess) => {
      if (message === 'ready') return resolve()
      if ('done' in message) return this.#answered(message.number, message.done)
      void this.#answer(service, message)
    })
    this.#child.once('exit', () => {
      for (const number of [...this.#waiting.keys()]) this.#answered(number, null)
    })
  }

  do(doing: Doing): Promise<Done | null> {
    this.#count += 1
    const { promise, resolve } = Promise.withResolvers<Done | null>()
    this.#waiting.set(this.#count, resolve)
    this.#tell({ number: this.#count, doing })
    return promise
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }

  #answered(number: number, done: Done | null): void {
    this.#waiting.get(number)?.(done)
    this.#waiting.delete(number)
  }

  async #answer(service: ScheduleService, question: Extract<FromProcess, { ask: string }>): Promise<void> {
    const answer = await (question.ask === 'facts'
      ? service.readFacts(String(question.about))
      : service.send(question.about as DepositParams))
    this.#tell({ question: question.question, answer })
  }

  /** One that was killed hears nothing more. */
  #tell(message: ToProcess): void {
    if (this.#child.connected) this.#child.send(message, () => undefined)
    else if ('number' in message) this.#answered(message.number, null)
  }
}

/** Two processes, and one that is started already to take the place of one that is killed. */
export class ApprovalProcesses {
  readonly #start: () => Running
  readonly #running: Running[]
  #spare: Running
  kills = 0

  constructor(rules: readonly unknown[], service: ScheduleService) {
    const order = { databaseUrl: config().databaseUrl, rules }
    this.#start = () => new Running(order, service)
    this.#running = [this.#start(), this.#start()]
    this.#spare = this.#start()
  }

  /** Each session of a person is at a process of its own. Null when the process was killed before it answered. */
  async do(doing: Doing): Promise<Done | null> {
    const running = this.#running[doing.session]
    await running?.ready
    return (await running?.do(doing)) ?? null
  }

  kill(which: number): void {
    this.kills += 1
    this.#running[which]?.kill()
    this.#running[which] = this.#spare
    this.#spare = this.#start()
  }

  stop(): void {
    for (const running of [...this.#running, this.#spare]) running.kill()
  }
}
