import 'server-only'
import { once } from 'node:events'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { readPackedFile } from './read-file.ts'
import type { WorkerMessage } from './read-in-worker.ts'
import type { AnyMapping } from './table.ts'

/** The receiver unpacks a message in one block of its event loop. */
const LINES_AT_ONCE = 1_000

async function answer(port: MessagePort): Promise<void> {
  const { bytes, mapping } = workerData as { bytes: Uint8Array; mapping: AnyMapping | null }
  const read = await readPackedFile(bytes, mapping)
  const { lines, rest } =
    read.kind === 'whole' ? { lines: read.lines, rest: { ...read, lines: [] } } : { lines: [], rest: read }
  for (let start = 0; start < lines.length; start += LINES_AT_ONCE) {
    port.postMessage({ lines: lines.slice(start, start + LINES_AT_ONCE) } satisfies WorkerMessage)
    await once(port, 'message')
  }
  port.postMessage({ rest } satisfies WorkerMessage)
}

if (parentPort !== null) await answer(parentPort)
