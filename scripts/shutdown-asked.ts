import { execFileSync } from 'node:child_process'

const LOOK_EVERY_MS = 500
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Calls `stop` on a signal, or when the npm that ran this process is gone: a shell between may not forward signals. */
export function onStopAsked(stop: () => void): () => void {
  const onSignal = () => {
    clearInterval(looking)
    stop()
  }
  for (const signal of SIGNALS) process.on(signal, onSignal)
  const runBy = process.env.npm_lifecycle_event === undefined ? [] : npmAndShell()
  const parent = process.ppid
  const looking = setInterval(() => {
    if (runBy.length === 0 || (process.ppid === parent && runBy.every(isAlive))) return
    clearInterval(looking)
    stop()
  }, LOOK_EVERY_MS)
  looking.unref()
  return () => {
    for (const signal of SIGNALS) process.off(signal, onSignal)
    clearInterval(looking)
  }
}

function npmAndShell(): readonly number[] {
  const parent = process.ppid
  try {
    const listed = execFileSync('ps', ['-o', 'ppid=,comm=', '-p', String(parent)], { encoding: 'utf8' })
    const [, npm, shell = ''] = /^\s*(\d+)\s+(.+?)\s*$/.exec(listed) ?? []
    return /(^|\/)(ba|da|z|k)?sh$/.test(shell) ? [parent, Number(npm)] : [parent]
  } catch {
    // Without `ps`, only the parent is known.
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
