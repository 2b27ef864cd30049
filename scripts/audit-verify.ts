import { verifierKey } from '#lib/commands/journal/checkpoint.ts'
import { verifyJournal } from '#lib/commands/journal/verify.ts'
import { parseConfig } from '#lib/config/config.ts'
import { withSandboxDefaults } from '#lib/config/sandbox-defaults.ts'
import { open } from '#lib/database/open.ts'
import type { Tables } from '#lib/store/tables.ts'
import { ownSecrets } from './own-secrets.ts'

/** `npm run audit:verify`: checks the journal in `DATABASE_URL`. Exits 1 when it is broken. */
async function verify(): Promise<boolean> {
  const parsed = parseConfig(ownSecrets(withSandboxDefaults(process.env).environment))
  if (!parsed.ok) {
    for (const { variable, why } of parsed.faults) process.stderr.write(`${variable} ${why}\n`)
    return false
  }
  const { databaseUrl, logOrigin, logKey } = parsed.config
  const opened = await open<Tables>(databaseUrl)
  try {
    const { events, root, faults } = await verifyJournal(opened.db, parsed.config)
    for (const { sequence, what } of faults) process.stdout.write(`event ${sequence} ${what}\n`)
    const compare =
      events === 0
        ? ''
        : ` Its root hash is ${root}: compare it with the journal-end lines of the process log.\nIts public key: ${verifierKey(logOrigin, logKey)}`
    process.stdout.write(
      faults.length === 0
        ? `The journal is intact: ${events} events.${compare}\n`
        : `The journal is NOT intact: ${faults.length} faults shown, ${events} events read.\n`,
    )
    return faults.length === 0
  } finally {
    await opened.close()
  }
}

process.exitCode = (await verify().catch((error: Error) => {
  process.stderr.write(`The journal cannot be read: ${error.message}\n`)
  return false
}))
  ? 0
  : 1
