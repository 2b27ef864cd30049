import { availableParallelism, cpus, loadavg } from 'node:os'

/** How busy the machine is: more runnable programs than cores, and every time in milliseconds is too long. */
export const machineLoad = (): string => `load of ${(loadavg()[0] ?? 0).toFixed(1)} on ${availableParallelism()} cores`

/** Processor time of the whole machine since its start, in milliseconds: what was used, and what there was. */
export function machineTimes(): { readonly used: number; readonly all: number } {
  const times = cpus().map((core) => core.times)
  const all = times.reduce((sum, { user, nice, sys, idle, irq }) => sum + user + nice + sys + idle + irq, 0)
  return { used: all - times.reduce((sum, { idle }) => sum + idle, 0), all }
}
