import { access, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const PROBE = Buffer.alloc(8_192)

/** Throws if the folder is gone or the disk is full. */
export async function probeFolder(folder: string): Promise<void> {
  await access(join(folder, 'pgdata', 'PG_VERSION'))
  const probe = join(folder, 'probe')
  try {
    await writeFile(probe, PROBE, { mode: 0o600 })
  } finally {
    await rm(probe, { force: true })
  }
}
