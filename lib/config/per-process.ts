const NAME = Symbol.for('console.per-process')

const shared = globalThis as typeof globalThis & { [NAME]?: Map<string, unknown> }

function all(): Map<string, unknown> {
  shared[NAME] ??= new Map()
  return shared[NAME]
}

/**
 * What there is once in a process: made at the first call, and the same for every bundle that the framework makes of this
 * code, each of which has its own copy of a module's variables. Where `make` throws, the next call makes it anew.
 */
export function perProcess<T>(name: string, make: () => T): T {
  const things = all()
  if (!things.has(name)) things.set(name, make())
  return things.get(name) as T
}

/** What there is by that name; undefined where nothing was made yet. */
export const peekPerProcess = <T>(name: string): T | undefined => all().get(name) as T | undefined

/** Puts something in its place; `undefined` lets the next call make it anew. */
export function putPerProcess(name: string, value: unknown): void {
  if (value === undefined) all().delete(name)
  else all().set(name, value)
}

/** Names this run of this process: in the journal, and in leases between processes. */
export const bootId = (): string => perProcess('boot id', () => crypto.randomUUID())
