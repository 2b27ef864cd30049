import 'server-only'
import { perProcess, steadyNow } from '#lib/config/per-process.ts'

/** Per person and hour: 60 files, each uploaded for columns, preview and import. */
export const UPLOADS_MAX = 180
const WINDOW_MS = 60 * 60_000
/** Per process, because each read uses a thread. */
const READ_AT_ONCE = 3

interface Uploads {
  readonly given: Map<string, readonly number[]>
  readonly reading: Set<string>
}

const uploads = (): Uploads => perProcess('uploads', () => ({ given: new Map(), reading: new Set() }))

/** Null if allowed, otherwise the seconds to wait. */
export function countUpload(actor: string, now: number = steadyNow()): number | null {
  const { given } = uploads()
  for (const [who, times] of given) if ((times.at(-1) ?? 0) <= now - WINDOW_MS) given.delete(who)
  const lately = (given.get(actor) ?? []).filter((at) => at > now - WINDOW_MS)
  const [oldest] = lately
  if (lately.length >= UPLOADS_MAX && oldest !== undefined) return Math.ceil((oldest + WINDOW_MS - now) / 1000)
  given.set(actor, [...lately, now])
  return null
}

/** One file per person at a time. If `busy` is set, nothing was read. */
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
