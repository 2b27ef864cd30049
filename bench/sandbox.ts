import { open } from '#lib/database/open.ts'
import { newTestDatabase } from '#lib/database/test-postgres.ts'
import { manyUsers, utility } from '#sandbox/seed/many-users.ts'
import { accountIdOf } from '#sandbox/seed/merchants.ts'
import { emailOf, userIdEndingIn } from '#sandbox/seed/people.ts'
import type { SeedName } from '#sandbox/seed/seed-name.ts'
import { ledgerFaults } from '#sandbox/testing/ledger-faults.ts'
import { type SandboxProcess, startProcess } from '#sandbox/testing/sandbox-process.ts'
import type { Tables } from '#sandbox/world/tables.ts'
import { CLIENTS, Client } from './client.ts'
import { type EngineRate, measureEngine } from './engine.ts'
import { perSecond, timeOf, timesOf } from './measure.ts'
import { OPERATOR } from './measured-pages.ts'
import { print } from './print.ts'
import { Programs } from './programs.ts'
import { type LineName, type Measured, printTable } from './table.ts'

const HISTORY = `/api/v1/Transaction/account/${accountIdOf(utility)}`
const PAGE_SIZE = 100
const TIMES = 40
const RESETS = 5

type Note = (line: LineName, value: number) => void

/**
 * `npm run bench -- sandbox [pglite]`: the sandbox's program on both engines, seeded large, with clients in this process. Asserts no
 * time.
 */
async function bench(only: string | undefined): Promise<void> {
  await using programs = new Programs()
  const pglite = await measure('PGlite', async () => programs.newStore())
  if (only === 'pglite') return
  const server = await programs.startPostgres()
  printTable(pglite, await measure('PostgreSQL', () => newTestDatabase(server)))
}

async function measure(engine: string, newStore: () => Promise<string>): Promise<Measured> {
  const measured = new Map<LineName, number>()
  const note: Note = (line, value) => {
    measured.set(line, value)
    process.stderr.write(`${engine}: ${line}: ${value.toFixed(1)}\n`)
  }
  const demo = await started('demo', await newStore(), note, 'start, new store', 'start, reopened store')
  note('reset', (await timesOf(RESETS, () => fetch(`${demo.url}/sandbox/reset`, { method: 'POST' }))).median)
  await demo.end('SIGTERM')

  const store = await newStore()
  const large = await started('large', store, note, 'start, new large store', 'start, reopened large store')
  const reference = await measureTraffic(large.url, note)
  await large.end('SIGTERM')
  if (store.startsWith('file:')) await compareWithEngine(store, reference, measured)
  await verifyLedger(store)
  return measured
}

/** Starts on an empty store, stops, and starts again on what is there now. */
async function started(
  seed: SeedName,
  store: string,
  note: Note,
  ...lines: [LineName, LineName]
): Promise<SandboxProcess> {
  const environment = { SANDBOX_SEED: seed, SANDBOX_DATABASE_URL: store }
  let sandbox: SandboxProcess | undefined
  for (const line of lines) {
    await sandbox?.end('SIGTERM')
    note(line, await timeOf(async () => (sandbox = await startProcess(environment))))
  }
  if (sandbox === undefined) throw new Error('nothing was started')
  return sandbox
}

/** What is left to gain: the embedded engine alone, with the statements that these requests make. */
async function compareWithEngine(store: string, reference: string, measured: Measured): Promise<void> {
  const [payer = '', recipient = ''] = manyUsers.slice(1, 3).map(({ ending }) => userIdEndingIn(ending))
  const engine = await measureEngine(store, { reference, payer, recipient })
  const compare = (line: LineName, { statements, perSecond: alone }: EngineRate): void => {
    const share = ((measured.get(line) ?? 0) / alone) * 100
    print(
      `${line}: ${statements} statements, ${alone.toFixed(0)} /s by PGlite alone; the sandbox ${share.toFixed(0)} % of it`,
    )
  }
  compare('reads of a transaction', engine.read)
  compare('instant transfers', engine.transfer)
}

/** Answers the reference of a transaction. */
async function measureTraffic(url: string, note: Note): Promise<string> {
  const client = new Client(url)
  const operator = await client.tokenOf(OPERATOR)
  const { totalCount, transactions } = await client.ask({ path: `${HISTORY}?pageSize=${PAGE_SIZE}`, token: operator })
  const references = transactions.map(({ referenceId }) => encodeURIComponent(referenceId))
  let turn = 0
  note(
    'reads of a transaction',
    await perSecond(() =>
      client.ask({ path: `/api/v1/Transaction/${references[turn++ % PAGE_SIZE]}`, token: operator }),
    ),
  )

  const payers: readonly string[] = await Promise.all(
    manyUsers.slice(1, CLIENTS + 1).map((payer) => client.tokenOf(emailOf(payer))),
  )
  const recipients = manyUsers.slice(CLIENTS + 1).map(({ ending }) => userIdEndingIn(ending))
  note(
    'instant transfers',
    await perSecond((payer) => {
      const body = { recipientId: recipients[turn++ % recipients.length], amount: 0.01, note: 'Bench' }
      return client.ask({ method: 'POST', path: '/api/v1/Transaction/p2p', token: payers[payer] ?? '', body })
    }),
  )

  const last = Math.ceil(totalCount / PAGE_SIZE)
  const pages = {
    'history, first page': 1,
    'history, middle page': Math.ceil(last / 2),
    'history, last page': last,
  } as const
  for (const [line, page] of Object.entries(pages)) {
    const path = `${HISTORY}?pageSize=${PAGE_SIZE}&page=${page}`
    note(line as LineName, (await timesOf(TIMES, () => client.ask({ path, token: operator }))).median)
  }
  client.close()
  return transactions[0]?.referenceId ?? ''
}

async function verifyLedger(store: string): Promise<void> {
  const { db, close } = await open<Tables>(store)
  const faults = await ledgerFaults(db)
  await close()
  if (faults.length > 0) throw new Error(`the ledger is wrong: ${faults.slice(0, 5).join('; ')}`)
}

await bench(process.argv[2])
