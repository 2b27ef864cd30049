import { confirmAt, type Doing, type Done, doHere } from './approval-doer.ts'
import { configureForTest } from './test-console.ts'
import { underPolicy } from './test-policy.ts'

/** What a process is told at its start, as JSON in its first argument. */
export interface ProcessOrder {
  readonly databaseUrl: string
  readonly rules: readonly unknown[]
}

/** From who started it: something to do, or what the service answered. */
export type ToProcess =
  | { readonly number: number; readonly doing: Doing }
  | { readonly question: number; readonly answer: unknown }

/** From the process: what came of it, or a question to the service. */
export type FromProcess =
  | 'ready'
  | { readonly number: number; readonly done: Done }
  | { readonly question: number; readonly ask: 'facts' | 'send'; readonly about: unknown }

/** A console process that does what it is told, with a service that is where it was started: made to be killed on the way. */
function run({ databaseUrl, rules }: ProcessOrder): void {
  configureForTest({ DATABASE_URL: databaseUrl })
  underPolicy(...rules)
  const tell = (message: FromProcess) => process.send?.(message)
  const questions = new Map<number, (answer: unknown) => void>()
  let count = 0
  const ask = (what: 'facts' | 'send', about: unknown) =>
    new Promise<unknown>((answered) => {
      count += 1
      questions.set(count, answered)
      tell({ question: count, ask: what, about })
    })
  confirmAt({
    readFacts: async (referenceId) => (await ask('facts', referenceId)) as Record<string, string>,
    send: async (params) => (await ask('send', params)) as 'done' | 'lost',
  })
  process.on('message', (message: ToProcess) => {
    if ('question' in message) return void questions.get(message.question)?.(message.answer)
    void doHere(message.doing).then((done) => tell({ number: message.number, done }))
  })
  tell('ready')
}

run(JSON.parse(process.argv[2] ?? '') as ProcessOrder)
