import { readFileSync } from 'node:fs'
import type { Program } from '../support/programs.ts'

const LOOK_EVERY_MS = 100

/** What a program holds in memory now, in MiB. */
function memoryOf({ pid }: Program): number {
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}

/** How far the memory of a program rises above what it is now. */
export class MemoryWatch {
  readonly #before: number
  #most = 0
  readonly #timer: NodeJS.Timeout

  constructor(program: Program) {
    this.#before = memoryOf(program)
    this.#timer = setInterval(() => {
      this.#most = Math.max(this.#most, memoryOf(program))
    }, LOOK_EVERY_MS)
  }

  /** In MiB, at the highest. */
  stop(): number {
    clearInterval(this.#timer)
    return this.#most - this.#before
  }
}
