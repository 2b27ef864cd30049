import type { Problem } from '#lib/contract/problem.ts'

/** The kinds of change that the console makes, named `area.verb`. */
export const commandKinds = ['deposit.confirm'] as const

export type CommandKindName = (typeof commandKinds)[number]

/** One line of what is to be confirmed, or of what came of it. `as` says how the value is shown. */
export interface Line {
  readonly label: string
  readonly value: string
  readonly as: 'text' | 'mono' | 'money' | 'reference' | 'id' | 'state' | 'time'
}

/** A stored draft as the person sees it: exactly what will be sent, and what it does. */
export interface DraftView {
  readonly id: string
  readonly kind: CommandKindName
  readonly title: string
  readonly lines: readonly Line[]
  readonly consequence: string
  /** The act and the object: `Confirm deposit of 250.00 BZD`. */
  readonly button: string
  readonly expiresAt: string
}

/** A step of something that goes on by itself. */
export interface Step {
  readonly word: string
  readonly place: 'behind' | 'now' | 'ahead'
}

export type Outcome =
  /** Under way in this very moment, here or in another tab. */
  | { readonly class: 'sending' }
  | { readonly class: 'done'; readonly lines: readonly Line[]; readonly steps: readonly Step[] }
  | { readonly class: 'accepted'; readonly lines: readonly Line[]; readonly steps: readonly Step[] }
  | {
      readonly class: 'refused'
      /** False when nothing left the console. */
      readonly sent: boolean
      readonly title: string
      readonly advice: string
      readonly problem: Problem | null
    }
  | { readonly class: 'changed'; readonly before: readonly Line[]; readonly now: readonly Line[] }
  | { readonly class: 'unknown'; readonly checking: string; readonly traceId: string | null }

/** A command and what is known of it. */
export interface CommandView {
  readonly id: string
  readonly kind: CommandKindName
  /** What it is, in words: `Confirm deposit of 250.00 BZD`. */
  readonly title: string
  readonly target: string
  readonly actorName: string
  readonly sentAt: string | null
  readonly settledAt: string | null
  readonly outcome: Outcome
}

/** What the door answers to a draft. */
export type DraftReply =
  | { readonly ok: true; readonly draft: DraftView }
  | { readonly ok: false; readonly fields: Readonly<Record<string, string>>; readonly problem: Problem | null }

/** What the door answers to an execution, and to a look at a command. */
export type CommandReply =
  | { readonly ok: true; readonly command: CommandView }
  | { readonly ok: false; readonly problem: Problem }
