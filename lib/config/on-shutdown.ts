import 'server-only'
import { perProcess } from './per-process.ts'

interface Stop {
  leaving: boolean
  asked: boolean
  readonly listeners: Set<() => void>
}

const stop = (): Stop => perProcess('stop', () => ({ leaving: false, asked: false, listeners: new Set() }))

export function onShutdown(listener: () => void): void {
  stop().listeners.add(listener)
}

export const isShuttingDown = (): boolean => stop().asked

/** Still serves, but reports not ready. */
export const isLeaving = (): boolean => stop().leaving

export function announceLeaving(): void {
  stop().leaving = true
}

export function announceShutdown(): void {
  if (stop().asked) return
  stop().asked = true
  for (const listener of stop().listeners) {
    try {
      listener()
    } catch {}
  }
}
