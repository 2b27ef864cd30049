import { parseArgs } from 'node:util'
import type { Kysely } from 'kysely'
import { type Config, parseConfig } from '#lib/config/config.ts'
import { putPerProcess } from '#lib/config/per-process.ts'
import { withSandboxDefaults } from '#lib/config/sandbox-defaults.ts'
import { open } from '#lib/database/open.ts'
import { verifierKey } from '#lib/journal/checkpoint.ts'
import { logHead } from '#lib/journal/sequencer.ts'
import { verifyJournal } from '#lib/journal/verify.ts'
import { continueLog } from '#lib/journal/witness.ts'
import type { Tables } from '#lib/store/tables.ts'
import { ownSecrets } from './own-secrets.ts'

/** Without control characters: ids come from the store. */
const print = (text: string) => process.stdout.write(`${text.replace(/\p{C}/gu, '�')}\n`)

/** `npm run audit:verify`: checks the journal in `DATABASE_URL`. `-- --continue ENTRIES` then ends a conflict with the witness. */
async function run(): Promise<boolean> {
  const { continue: size } = parseArgs({ options: { continue: { type: 'string' } } }).values
  const parsed = parseConfig(ownSecrets(withSandboxDefaults(process.env).environment))
  if (!parsed.ok) {
    for (const { variable, why } of parsed.faults) process.stderr.write(`${variable} ${why}\n`)
    return false
  }
  putPerProcess('config', parsed.config)
  const { db, close } = await open<Tables>(parsed.config.databaseUrl, { mustExist: true })
  try {
    const isIntact = await printReport(db, parsed.config)
    if (size === undefined) return isIntact
    const isNumber = /^[\d,]+$/.test(size)
    const isContinued = isNumber && (await continueLog(db, Number(size.replaceAll(',', ''))))
    const why = isNumber ? `the witness did not confirm ${size}` : `${size} is not a number of entries`
    print(isContinued ? 'Continued: new events get places again.' : `Nothing was done: ${why}.`)
    return isContinued
  } finally {
    await close()
  }
}

async function printReport(db: Kysely<Tables>, { logOrigin, logKeys, witness, ...keys }: Config): Promise<boolean> {
  const { events, entries, root, faults } = await verifyJournal(db, { logKeys, witness, ...keys })
  for (const { sequence, what } of faults) print(`event ${sequence} ${what}`)
  const intact = `The journal is intact: ${events} events.`
  const compare = `Of ${entries} entries, the root hash is ${root}: compare it with the journal-end lines of the process log.`
  const broken = `The journal is NOT intact: ${faults.length} faults shown, ${events} events read.`
  print(faults.length > 0 ? broken : `${intact}${events === 0 ? '' : ` ${compare}`}`)
  for (const key of logKeys) print(`Its public key: ${verifierKey(logOrigin, key)}`)
  const { size, cosigned, cosigned_size: confirmed } = await logHead(db)
  print(
    witness === null
      ? 'No witness confirms it: with the store and the keys it can be rewritten.'
      : `The witness has confirmed ${cosigned === '' ? 'nothing' : `${confirmed} of ${size} entries`}.`,
  )
  return faults.length === 0
}

process.exitCode = (await run().catch((error: Error) => {
  process.stderr.write(`The journal cannot be read: ${error.message}\n`)
  return false
}))
  ? 0
  : 1
