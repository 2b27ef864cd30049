import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { ensureBrowser } from './browser.ts'
import { saveTable } from './run-head.ts'
import { VERIFIED, type Verified } from './test-suites.ts'

/** `npm run test:repeat -- N [--busy LOOPS]`: all of `npm test` N times, beside so many busy loops, and a table of what failed. */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { busy: { type: 'string', default: '0' } },
})
const [runs, loops] = [Number(positionals[0]), Number(values.busy)]
if (!Number.isInteger(runs) || runs < 1 || !Number.isInteger(loops) || loops < 0) {
  process.stderr.write('Usage: npm run test:repeat -- N [--busy LOOPS]\n')
  process.exit(2)
}
ensureBrowser()

const busy: ChildProcess[] = Array.from({ length: loops }, () => spawn(process.execPath, ['-e', 'for (;;);']))
process.once('exit', () => {
  for (const loop of busy) loop.kill('SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const rows = ['| run | passed | failed | seconds | what failed |', '| --- | --- | --- | --- | --- |']
let isGreen = true
for (let run = 1; run <= runs; run += 1) {
  rmSync(VERIFIED, { force: true })
  const { status, signal } = spawnSync(process.execPath, [...process.execArgv, 'scripts/test.ts', '--as-it-is'], {
    stdio: 'inherit',
  })
  // The signal's listener does not run before the last run ends.
  if (signal !== null) process.exit(1)
  const { passed, failed, seconds, failures } = readVerified()
  isGreen &&= status === 0 && failed === 0
  rows.push(`| ${run} | ${passed} | ${failed} | ${seconds} | ${failures.join('<br>')} |`)
  saveTable('test-results/tests-repeat.md', [`Beside ${loops} busy loops.\n`, ...rows])
}
process.exit(isGreen ? 0 : 1)

function readVerified(): Verified {
  if (existsSync(VERIFIED)) return JSON.parse(readFileSync(VERIFIED, 'utf8')) as Verified
  return { passed: 0, failed: 1, seconds: 0, failures: ['the run ended without a result'] }
}
