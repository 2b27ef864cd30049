import 'server-only'

const shared = globalThis as typeof globalThis & { consoleSends?: Map<string, number> }

function sends(): Map<string, number> {
  shared.consoleSends ??= new Map()
  return shared.consoleSends
}

/**
 * Holds a command while this process sends it, from before its state says so until its outcome is written down. What is
 * `sent` and held by nobody has no end of its own: maintenance makes it unknown.
 */
export async function whileSending<Result>(commandId: string, work: () => Promise<Result>): Promise<Result> {
  sends().set(commandId, (sends().get(commandId) ?? 0) + 1)
  try {
    return await work()
  } finally {
    const left = (sends().get(commandId) ?? 1) - 1
    if (left > 0) sends().set(commandId, left)
    else sends().delete(commandId)
  }
}

export const isBeingSent = (commandId: string): boolean => sends().has(commandId)
