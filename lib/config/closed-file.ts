import 'server-only'
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import type { z } from 'zod'

export const CLOSED = {
  toWriters: { mask: 0o022, others: 'write', close: 'go-w' },
  toReaders: { mask: 0o027, others: 'read or write', close: 'g-w,o-rwx' },
} as const

/** Null after it added an issue. */
export function readClosedFile(
  path: string,
  { mask, others, close }: (typeof CLOSED)[keyof typeof CLOSED],
  context: z.RefinementCtx,
): string | null {
  const refuse = (message: string): null => {
    context.addIssue(message)
    return null
  }
  let file: number
  try {
    file = openSync(/* turbopackIgnore: true */ path, 'r')
  } catch (error) {
    return refuse(`cannot be read: ${codeOf(error)}`)
  }
  try {
    const { uid, mode: bits } = fstatSync(file)
    if (uid !== 0 && uid !== process.getuid?.())
      return refuse(`names a file of another user (${uid}), who can change it. Give it to root or the console’s user`)
    const mode = bits & 0o777
    // Windows has no such modes.
    if (process.platform === 'win32' || (mode & mask) === 0) return readFileSync(file, 'utf8')
    const shown = mode.toString(8).padStart(4, '0')
    return refuse(`names a file that others can ${others} (mode ${shown}). Close it first: chmod ${close} '${path}'`)
  } catch (error) {
    return refuse(`cannot be read: ${codeOf(error)}`)
  } finally {
    closeSync(file)
  }
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : 'error')
