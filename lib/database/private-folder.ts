import { statSync } from 'node:fs'

const OTHERS = 0o077

export class LoosePath extends Error {
  constructor(path: string, mode: number) {
    const shown = (mode & 0o777).toString(8).padStart(4, '0')
    super(`${path} is open to other users of this machine (mode ${shown}). Close it first: chmod -R go-rwx '${path}'`)
    this.name = 'LoosePath'
  }
}

/** Throws {@link LoosePath} if group or others may read or write the path. */
export function assertPrivate(path: string): void {
  // Windows has no such modes.
  if (process.platform === 'win32') return
  const mode = statSync(path, { throwIfNoEntry: false })?.mode
  if (mode !== undefined && (mode & OTHERS) !== 0) throw new LoosePath(path, mode)
}
