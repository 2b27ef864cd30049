import 'server-only'
import { parentPort, workerData } from 'node:worker_threads'
import { readPackedFile } from './read-file.ts'
import type { ColumnMapping } from './statement.ts'
import type { NamedMapping } from './table.ts'

const { bytes, mapping } = workerData as { bytes: Uint8Array; mapping: ColumnMapping | NamedMapping | null }
parentPort?.postMessage(await readPackedFile(bytes, mapping))
