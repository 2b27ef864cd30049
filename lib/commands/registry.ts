import 'server-only'
import { perProcess } from '#lib/config/per-process.ts'
import type { CommandKindName } from '#lib/kind-names.ts'
import type { AnyFacts, CommandKind } from './command-kind.ts'

/** Values of type `unknown` have passed the kind's schema. */
export type AnyKind = CommandKind<unknown, AnyFacts, unknown>

const registered = (): Map<string, AnyKind> => perProcess('kinds', () => new Map())

export function registerKinds(kinds: Readonly<Record<CommandKindName, AnyKind>>): void {
  for (const [name, kind] of Object.entries(kinds)) registered().set(name, kind)
}

/** Undefined for a kind of another version. */
export function kindNamed(name: string): AnyKind | undefined {
  if (registered().size === 0) throw new Error('no kinds of change are registered')
  return registered().get(name)
}
