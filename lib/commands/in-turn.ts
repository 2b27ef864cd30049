import 'server-only'

const shared = globalThis as typeof globalThis & { consoleTurns?: Map<string, Promise<unknown>> }

/** Lets what is done under one name be done one after the other in this process. */
export async function inTurn<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  shared.consoleTurns ??= new Map()
  const turns = shared.consoleTurns
  const before = turns.get(name)
  const turn = (async () => {
    await before?.catch(() => {})
    return await work()
  })()
  turns.set(name, turn)
  try {
    return await turn
  } finally {
    if (turns.get(name) === turn) turns.delete(name)
  }
}
