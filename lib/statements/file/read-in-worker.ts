import 'server-only'
import { getCompileCacheDir } from 'node:module'
import { dirname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { ReadFile, StatementLine } from './statement.ts'
import type { AnyMapping } from './table.ts'

/** A statement of 10,000 lines takes less than a second. */
const WALL_MS = 20_000
const MEMORY_MB = 256

/** Not bundled: the worker runs the source file. */
const SOURCE = 'lib/statements/file/read-worker.ts'

export class FileTooHard extends Error {}

/** The lines come in parts, each when the one before is received, and then the rest. */
export type WorkerMessage = { readonly lines: readonly StatementLine[] } | { readonly rest: ReadFile }

/** In a thread: a malicious file cannot block requests. Throws {@link FileTooHard} beyond its time, memory or stack. */
export async function readInWorker(
  bytes: Uint8Array,
  mapping: AnyMapping | null,
  wallMs: number = WALL_MS,
): Promise<ReadFile> {
  const compiled = getCompileCacheDir()
  const worker = new Worker(join(/* turbopackIgnore: true */ process.cwd(), SOURCE), {
    workerData: { bytes, mapping },
    // Needed to load `server-only` modules outside Next.js.
    execArgv: ['--conditions=react-server'],
    // The thread gets no secrets of this process.
    env: compiled === undefined ? {} : { NODE_COMPILE_CACHE: dirname(compiled) },
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB, maxYoungGenerationSizeMb: MEMORY_MB / 8 },
  })
  let timer: NodeJS.Timeout | undefined
  try {
    return await new Promise<ReadFile>((answer, fail) => {
      timer = setTimeout(() => fail(new FileTooHard('time')), wallMs)
      const lines: StatementLine[] = []
      worker.on('message', (message: WorkerMessage) => {
        if ('rest' in message) return answer(message.rest.kind === 'whole' ? { ...message.rest, lines } : message.rest)
        lines.push(...message.lines)
        worker.postMessage('next')
      })
      worker.once('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') fail(new FileTooHard('memory'))
        else fail(error.name === 'RangeError' ? new FileTooHard('depth') : error)
      })
      worker.once('exit', () => fail(new Error('the thread that reads a file ended without an answer')))
    })
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
}
