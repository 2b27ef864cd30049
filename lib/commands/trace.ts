import 'server-only'
import { currentWork } from '#lib/config/log.ts'
import { inSpan, spanIn } from '#lib/telemetry/spans.ts'
import type { CommandRow } from './row.ts'

type Step = 'ask' | 'decide' | 'execute' | 'send' | 'settle' | 'reconcile' | 'recover' | 'settle by hand'

export const inNewTrace = <Result>(kind: string, work: () => Promise<Result>): Promise<Result> =>
  inSpan(
    {
      name: 'command draft',
      kind: 'internal',
      attributes: { 'console.command.kind': kind },
      parent: null,
      link: currentWork().span,
    },
    work,
  )

/** Continues the command's own trace, even across processes and requests. */
export function inCommandTrace<Result>(
  { kind, state, traceparent }: Pick<CommandRow, 'kind' | 'state' | 'traceparent'>,
  step: Step,
  work: () => Promise<Result>,
): Promise<Result> {
  const [root, here] = [spanIn(traceparent), currentWork().span]
  const within = root !== null && here?.traceId === root.traceId
  const attributes = { 'console.command.kind': kind, 'console.command.state': state }
  const span = { name: `command ${step}`, kind: 'internal', attributes } as const
  return inSpan(within ? span : { ...span, parent: root, link: here }, work)
}
