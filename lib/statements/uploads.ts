import 'server-only'
import { perProcess } from '#lib/config/per-process.ts'

/** Sixty files: each is uploaded for its columns, its preview and its import. */
export const UPLOADS_MAX = 180
const WINDOW_MS = 60 * 60_000
/** Of all persons together, in this process: a thread takes a processor. */
const READ_AT_ONCE = 3

interface Uploads {
  /** When each person has handed files over, within the window. */
  readonly given: Map<string, readonly number[]>
  /** Whose file is read right now. */
  readonly reading: Set<string>
}

const uploads = (): Uploads => perProcess('uploads', () => ({ given: new Map(), reading: new Set() }))

/** Counts one more file of a person. Null while they may go on; else for how many seconds to pause. */
export function countUpload(actor: string, now: number = Date.now()): number | null {
  const { given } = uploads()
  for (const [who, times] of given) if ((times.at(-1) ?? 0) <= now - WINDOW_MS) given.delete(who)
  const lately = (given.get(actor) ?? []).filter((at) => at > now - WINDOW_MS)
  const [oldest] = lately
  if (lately.length >= UPLOADS_MAX && oldest !== undefined) return Math.ceil((oldest + WINDOW_MS - now) / 1000)
  given.set(actor, [...lately, now])
  return null
}

/** Reads one file of a person at a time, and few of all. `busy` says whose file is in the way; then nothing was done. */
export async function readOneAtATime<Result>(
  actor: string,
  read: () => Promise<Result>,
): Promise<{ readonly busy: 'own' | 'others' } | { readonly busy: null; readonly value: Result }> {
  const { reading } = uploads()
  if (reading.has(actor)) return { busy: 'own' }
  if (reading.size >= READ_AT_ONCE) return { busy: 'others' }
  reading.add(actor)
  try {
    return { busy: null, value: await read() }
  } finally {
    reading.delete(actor)
  }
}
