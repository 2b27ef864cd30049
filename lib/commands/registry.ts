import 'server-only'
import { perProcess } from '#lib/config/per-process.ts'
import type { CommandKindName } from '#lib/kind-names.ts'
import type { AnyFacts, CommandKind } from './command-kind.ts'

/** A kind whose own types are its own business: what goes in as `unknown` has passed its schema. */
export type AnyKind = CommandKind<unknown, AnyFacts, unknown>

const registered = (): Map<string, AnyKind> => perProcess('kinds', () => new Map())

/** Hands the engine the kinds of change that there are. Once, when the process starts. */
export function registerKinds(kinds: Readonly<Record<CommandKindName, AnyKind>>): void {
  for (const [name, kind] of Object.entries(kinds)) registered().set(name, kind)
}

/** Undefined when this build knows no such kind. */
export function kindNamed(name: string): AnyKind | undefined {
  if (registered().size === 0) throw new Error('no kinds of change are registered')
  return registered().get(name)
}
