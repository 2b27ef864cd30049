import { parseArgs } from 'node:util'
import { withSandboxDefaults } from '#lib/config/sandbox-defaults.ts'
import { LoosePath } from '#lib/database/private-folder.ts'
import { type Finding, found } from './doctor/faults.ts'
import { lookAtAll } from './doctor/look.ts'
import { readPasted } from './doctor/pasted-claims.ts'
import { BrokenSecrets, ownSecrets } from './own-secrets.ts'

const MARKS = { good: 'good ', note: 'note ', wrong: 'WRONG' } as const

function line({ level, what, todo }: Finding): string {
  const advice = todo === null ? '' : `\n       ${todo}`
  return `${MARKS[level]}  ${what}${advice}\n`
}

const OPTIONS = { json: { type: 'boolean', default: false }, claims: { type: 'string' } } as const

/** A terminal cuts longer lines. */
const PROMPT = 'Paste the payload and press Ctrl-D. Put one with lines of more than 4,000 characters into a file.\n'

function optionsGiven() {
  try {
    return parseArgs({ options: OPTIONS }).values
  } catch {
    return null
  }
}

/** `npm run doctor [-- --json] [--claims FILE]`. Exits 1 on a fault, prints no secrets and leaves nothing behind. */
async function doctor(): Promise<void> {
  const options = optionsGiven()
  if (options === null) {
    process.stderr.write('Usage: npm run doctor [-- [--json] [--claims FILE]]; FILE is - for standard input.\n')
    process.exitCode = 2
    return
  }
  const { json, claims } = options
  if (claims === '-' && process.stdin.isTTY) process.stderr.write(PROMPT)
  const findings = await findingsOf(claims === undefined ? undefined : await readPasted(claims))
  const ok = findings.every(({ level }) => level !== 'wrong')
  if (json) process.stdout.write(`${JSON.stringify({ ok, findings }, null, 2)}\n`)
  else {
    for (const finding of findings) process.stdout.write(line(finding))
    process.stdout.write(ok ? 'Nothing is wrong.\n' : 'Something is wrong: see above.\n')
  }
  process.exitCode = ok ? 0 : 1
}

async function findingsOf(pasted: string | null | undefined): Promise<readonly Finding[]> {
  try {
    return await lookAtAll(ownSecrets(withSandboxDefaults(process.env).environment), pasted)
  } catch (error) {
    if (error instanceof LoosePath || error instanceof BrokenSecrets) return [found('folder', 'data', error.message)]
    throw error
  }
}

await doctor().catch((error: unknown) => {
  // The message may contain a secret from the environment.
  process.stderr.write(`The doctor itself failed: ${error instanceof Error ? error.name : 'unknown'}\n`)
  process.exitCode = 1
})
