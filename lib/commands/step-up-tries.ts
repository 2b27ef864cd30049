import 'server-only'

/** Codes that one prompt takes. */
export const TRIES_MAX = 3
const KEPT_MAX = 10_000

const shared = globalThis as typeof globalThis & { consoleCodeTries?: Map<string, number> }

function rejections(): Map<string, number> {
  shared.consoleCodeTries ??= new Map()
  return shared.consoleCodeTries
}

export const triesLeft = (commandId: string): number => TRIES_MAX - (rejections().get(commandId) ?? 0)

/** A prompt that is over; the next one starts with all its tries. */
export const forgetTries = (commandId: string): void => void rejections().delete(commandId)

/** Counts a rejected code of a command's prompt. Answers how many are left. */
export function rejectedOnce(commandId: string): number {
  const counts = rejections()
  for (const id of counts.keys()) if (counts.size >= KEPT_MAX) counts.delete(id)
  counts.set(commandId, (counts.get(commandId) ?? 0) + 1)
  return triesLeft(commandId)
}
