import { setTimeout as wait } from 'node:timers/promises'
import { startUpkeep } from '#lib/commands/upkeep.ts'
import { store } from '#lib/store/store.ts'
import { configureForTest } from './test-console.ts'

/** A console process that ends as the framework ends it: after a signal it finishes what is under way, and exits. */
configureForTest()
// What this process logs is what the test reads.
Object.assign(globalThis, { consoleLog: undefined })
await store()
startUpkeep()
const end = async () => {
  await wait(50)
  process.exit(143)
}
process.on('SIGTERM', () => void end())
process.stdout.write('ready\n')
await wait(60_000)
