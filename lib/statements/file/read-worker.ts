import 'server-only'
import { parentPort, workerData } from 'node:worker_threads'
import { readPackedFile } from './read-file.ts'
import type { AnyMapping } from './table.ts'

const { bytes, mapping } = workerData as { bytes: Uint8Array; mapping: AnyMapping | null }
parentPort?.postMessage(await readPackedFile(bytes, mapping))
