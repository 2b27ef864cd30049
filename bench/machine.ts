import { availableParallelism, loadavg } from 'node:os'

/** How busy the machine is: more runnable programs than cores, and every time in milliseconds is too long. */
export const machineLoad = (): string => `load of ${(loadavg()[0] ?? 0).toFixed(1)} on ${availableParallelism()} cores`
