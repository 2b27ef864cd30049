import { parseArgs } from 'node:util'
import { parseConfig } from '#lib/config/config.ts'
import { putPerProcess } from '#lib/config/per-process.ts'
import { withSandboxDefaults } from '#lib/config/sandbox-defaults.ts'
import { open } from '#lib/database/open.ts'
import { erasePayerMemory, payerKey } from '#lib/deposits/payer-memory.ts'
import type { Tables } from '#lib/store/tables.ts'
import { ownSecrets } from './own-secrets.ts'

/** `npm run payer-memory:erase -- --account NUMBER`, or `-- --all`. Exits 1 on failure. */
async function erase(): Promise<void> {
  const { account, all } = parseArgs({ options: { account: { type: 'string' }, all: { type: 'boolean' } } }).values
  const parsed = parseConfig(ownSecrets(withSandboxDefaults(process.env).environment))
  if (!parsed.ok) throw new Error(parsed.faults.map(({ variable, why }) => `${variable} ${why}`).join('\n'))
  if ((account === undefined) === (all === undefined)) throw new Error('give --account NUMBER or --all.')
  putPerProcess('config', parsed.config)
  const payer = account === undefined ? null : payerKey(account)
  if (account !== undefined && payer === null)
    throw new Error('NUMBER is not an account number. Nothing is known of it.')
  const opened = await open<Tables>(parsed.config.databaseUrl, { mustExist: true })
  try {
    const payments = await erasePayerMemory(opened.db, payer)
    process.stdout.write(`Erased ${payments} ${payments === 1 ? 'payment' : 'payments'}.\n`)
  } finally {
    await opened.close()
  }
}

await erase().catch((error: Error) => {
  process.stderr.write(`Nothing was erased: ${error.message}\n`)
  process.exitCode = 1
})
