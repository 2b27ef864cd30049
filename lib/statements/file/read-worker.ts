import 'server-only'
import { parentPort, workerData } from 'node:worker_threads'
import type { ColumnMapping } from './csv.ts'
import { readFile } from './read-file.ts'

/** The whole life of a worker: one file. */
const { bytes, mapping } = workerData as { bytes: Uint8Array; mapping: ColumnMapping | null }
parentPort?.postMessage(readFile(bytes, mapping))
