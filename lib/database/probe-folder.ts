import { access, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** More than a file system keeps beside its own records: it takes room on the disk. */
const PROBE = Buffer.alloc(8_192)

/** Throws when an embedded database's folder is gone, or takes no more. */
export async function probeFolder(folder: string): Promise<void> {
  await access(join(folder, 'pgdata', 'PG_VERSION'))
  const probe = join(folder, 'probe')
  try {
    await writeFile(probe, PROBE, { mode: 0o600 })
  } finally {
    await rm(probe, { force: true })
  }
}
