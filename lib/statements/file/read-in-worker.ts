import 'server-only'
import { getCompileCacheDir } from 'node:module'
import { dirname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { ColumnMapping, ReadFile } from './statement.ts'

/** A statement of 10,000 lines takes less than a second. */
const WALL_MS = 20_000
const MEMORY_MB = 256

/** Read by the worker as it stands, beside the bundle: programs run where their sources are. */
const SOURCE = 'lib/statements/file/read-worker.ts'

/** A file that takes more than any statement does. */
export class FileTooHard extends Error {}

/**
 * `readFile` in a thread of its own, so that whatever a file holds stops nobody else. Throws {@link FileTooHard} when
 * it takes too long, too much memory or too deep a stack: then the thread is ended.
 */
export async function readInWorker(
  bytes: Uint8Array,
  mapping: ColumnMapping | null,
  wallMs: number = WALL_MS,
): Promise<ReadFile> {
  const compiled = getCompileCacheDir()
  const worker = new Worker(join(/* turbopackIgnore: true */ process.cwd(), SOURCE), {
    workerData: { bytes, mapping },
    // As the programs themselves are started, so that what is for servers alone can be read.
    execArgv: ['--conditions=react-server'],
    // No secret of this process. Where this process caches compiled modules, the thread does, too.
    env: compiled === undefined ? {} : { NODE_COMPILE_CACHE: dirname(compiled) },
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB, maxYoungGenerationSizeMb: MEMORY_MB / 8 },
  })
  let timer: NodeJS.Timeout | undefined
  try {
    return await new Promise<ReadFile>((answer, fail) => {
      timer = setTimeout(() => fail(new FileTooHard('time')), wallMs)
      worker.once('message', (read: ReadFile) => answer(read))
      worker.once('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') fail(new FileTooHard('memory'))
        // Elements that nest too deep, or a stack that overflows.
        else fail(error.name === 'RangeError' ? new FileTooHard('depth') : error)
      })
      worker.once('exit', () => fail(new Error('the thread that reads a file ended without an answer')))
    })
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
}
