import 'server-only'
import type { z } from 'zod'
import type { Problem } from '#lib/contract/problem.ts'
import type { Result } from '#lib/core-api/answer.ts'
import type { Sent } from '#lib/core-api/send.ts'
import type { CommandKindName, Line, Step } from '#lib/domain/command.ts'
import type { Session } from '#lib/session/session.ts'
import type { LockKey } from '#lib/store/commands.ts'

/** Field name to what is wrong with it, in words for the person who typed it. */
export type FieldFaults = Readonly<Record<string, string>>

/** What an answer that is a success comes to, in lines for the person and, where it goes on by itself, steps. */
export interface Told {
  readonly lines: readonly Line[]
  readonly steps: readonly Step[]
}

/** What a look at the service says about a command whose end is not known. */
export type Look =
  /** `showsNoEffect`: the service can be seen to be as it was, so with time enough the change did not happen. */
  { readonly settled: false; readonly showsNoEffect: boolean } | { readonly settled: true; readonly told: Told }

/**
 * One kind of change: everything that differs between kinds, and nothing else. `Facts` are strings exactly as the
 * service gave them: what the person saw, and what must still hold when the command is sent.
 */
export interface CommandKind<Params, Facts extends Readonly<Record<string, string>>, Data> {
  readonly kind: CommandKindName
  readonly params: z.ZodType<Params>
  /** What is wrong with the parameters alone. */
  checkParams(params: Params): FieldFaults
  readFacts(session: Session, params: Params): Promise<Result<Facts>>
  /** What is wrong with the parameters in the light of the facts. */
  checkFacts(params: Params, facts: Facts): FieldFaults
  /** What the command is about, for lists. */
  target(params: Params): string
  locks(params: Params): readonly LockKey[]
  /** Why a lock that somebody holds stops this command. */
  heldWords(key: string, params: Params): { readonly field: string; readonly what: string }
  title(params: Params, facts: Facts): string
  summary(params: Params, facts: Facts): readonly Line[]
  factLines(facts: Facts): readonly Line[]
  readonly consequence: string
  send(session: Session, params: Params): Promise<Sent<Data>>
  /** Words for a success; `data` is null when its body could not be read. */
  tell(facts: Facts, data: Data | null, serviceTime: string | null): Told
  /** Reads whether the change has happened. */
  look(session: Session, params: Params): Promise<Look | Problem>
  /** What is being read while the outcome is not known. */
  readonly checking: string
}
