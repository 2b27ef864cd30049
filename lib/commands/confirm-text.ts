import 'server-only'
import type { Line, Proof } from './command.ts'
import { type AnyCommand, type AnyFacts, commandNamed } from './kind.ts'
import { type CommandRow, factsOf, paramsOf } from './row.ts'

/** What a change said when it was prepared. Later builds say it in the same words. */
export interface ConfirmText {
  readonly v: 1
  readonly title: string
  readonly doneTitle: string
  readonly lines: readonly Line[]
  readonly consequence: string
  readonly button: string
  readonly warning: string | null
  readonly proof: Proof | null
}

export function renderText(
  kind: AnyCommand,
  params: unknown,
  facts: AnyFacts,
  warning: string | null = null,
): ConfirmText {
  const title = kind.title(params, facts)
  return {
    v: 1,
    title,
    doneTitle: 'send' in kind ? kind.doneTitle(params, facts) : title,
    lines: kind.summary(params, facts),
    consequence: kind.consequence(params, facts),
    button: kind.button?.(params, facts) ?? title,
    warning,
    proof: kind.proof?.(params, facts) ?? null,
  }
}

/** Of commands of earlier builds, what this build says. Null if it cannot. */
export function textOf(row: Pick<CommandRow, 'kind' | 'params' | 'facts' | 'confirm_text'>): ConfirmText | null {
  try {
    const kept = row.confirm_text === null ? null : (JSON.parse(row.confirm_text) as ConfirmText)
    if (kept?.v === 1) return kept
    const kind = commandNamed(row.kind)
    return kind === undefined ? null : renderText(kind, paramsOf(row), factsOf(row))
  } catch {
    return null
  }
}
