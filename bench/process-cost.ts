import { existsSync, readFileSync } from 'node:fs'

/** What `/proc` counts processor time in: a hundredth of a second on every Linux that Node runs on. */
const MS_PER_TICK = 10

/** What a process holds and has used so far. */
export interface ProcessCost {
  /** Resident memory, in bytes. */
  readonly memory: number
  /** Processor time since its start, in milliseconds: user and system. */
  readonly cpuMs: number
}

/** Elsewhere than on Linux there is nothing to read. */
export const canReadCost = (): boolean => existsSync('/proc/self/stat')

export function costOf(pid: number): ProcessCost {
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  // The second field is a name that may hold spaces; what is counted here are the fields after it.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return { memory: Number(kilobytes) * 1024, cpuMs: (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK }
}
