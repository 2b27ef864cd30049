import 'server-only'
import { perProcess } from './per-process.ts'

interface Stop {
  leaving: boolean
  asked: boolean
  readonly listeners: Set<() => void>
}

const stop = (): Stop => perProcess('stop', () => ({ leaving: false, asked: false, listeners: new Set() }))

/** Calls back once this process is asked to stop: what would go on for ever ends itself then. */
export function onShutdown(listener: () => void): void {
  stop().listeners.add(listener)
}

/** Whether this process has been asked to stop. */
export const isShuttingDown = (): boolean => stop().asked

/** Whether this process wants no new visitors: a balancer in front of it may take its time to notice. */
export const isLeaving = (): boolean => stop().leaving

export function announceLeaving(): void {
  stop().leaving = true
}

/** Tells everyone, once. One listener that throws keeps no other from being told. */
export function announceShutdown(): void {
  if (stop().asked) return
  stop().asked = true
  for (const listener of stop().listeners) {
    try {
      listener()
    } catch {
      // The process ends in any case.
    }
  }
}
