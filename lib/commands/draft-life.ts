import 'server-only'

/** A draft older than this is not executed: what was confirmed should be what was just read. */
export const DRAFT_LIFE_MS = 10 * 60_000
