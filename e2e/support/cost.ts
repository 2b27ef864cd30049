import { readFileSync } from 'node:fs'

/** What `/proc` counts processor time in. */
const MS_PER_TICK = 10

/** What a process holds, in bytes, and has used so far: user and system. */
export function costOf(pid = 0): { readonly memory: number; readonly cpuMs: number } {
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  // The second field is a name that may hold spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return { memory: Number(kilobytes) * 1024, cpuMs: (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK }
}
