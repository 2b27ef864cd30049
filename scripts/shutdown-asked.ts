import { execFileSync } from 'node:child_process'

const LOOK_EVERY_MS = 500
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Calls back whenever this process is asked to stop: by a signal, or because npm, which ran it, is gone. Between the two
 * there may be a shell that hands no signal on. Answers how to listen no more.
 */
export function onStopAsked(stop: () => void): () => void {
  for (const signal of SIGNALS) process.on(signal, stop)
  const runBy = process.env.npm_lifecycle_event === undefined ? [] : npmAndShell()
  const parent = process.ppid
  const looking = setInterval(() => {
    if (runBy.length === 0 || (process.ppid === parent && runBy.every(isAlive))) return
    clearInterval(looking)
    stop()
  }, LOOK_EVERY_MS)
  looking.unref()
  return () => {
    for (const signal of SIGNALS) process.off(signal, stop)
    clearInterval(looking)
  }
}

/** The process that ran this one; where that is a shell, the one that ran the shell too. */
function npmAndShell(): readonly number[] {
  const parent = process.ppid
  try {
    const listed = execFileSync('ps', ['-o', 'ppid=,comm=', '-p', String(parent)], { encoding: 'utf8' })
    const [, npm, shell = ''] = /^\s*(\d+)\s+(.+?)\s*$/.exec(listed) ?? []
    return /(^|\/)(ba|da|z|k)?sh$/.test(shell) ? [parent, Number(npm)] : [parent]
  } catch {
    // Windows, and machines without `ps`, tell of the parent alone.
    return [parent]
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
