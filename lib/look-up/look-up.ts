import 'server-only'
import { consoleProblem } from '#lib/commands/running-sends.ts'
import type { Result } from '#lib/service/answer.ts'
import { readAccess } from '#lib/service/scopes.ts'
import type { Session } from '#lib/session/session.ts'
import { consoleSources } from './console-sources.ts'
import type { Found, LookUpFrame, SourceName } from './found.ts'
import { serviceSources } from './service-sources.ts'

export interface Source {
  readonly name: SourceName
  readonly look: () => Promise<Result<readonly Found[]>>
}

/**
 * Asks in parallel every source that the person may read, and yields results as they arrive. Requires a text without a
 * `lookUpFault`.
 */
export async function* lookUp(session: Session, text: string): AsyncGenerator<LookUpFrame, void, undefined> {
  const access = await readAccess(session)
  const sources = [...serviceSources(session, access, text), ...(await consoleSources(session, text))]
  yield { kind: 'asked', sources: sources.map(({ name }) => name) }
  const looking = new Map(sources.map((source) => [source.name, looked(source)]))
  while (looking.size > 0) {
    const answered = await Promise.race(looking.values())
    looking.delete(answered.source)
    yield answered
  }
  yield { kind: 'end' }
}

async function looked({ name: source, look }: Source): Promise<Extract<LookUpFrame, { source: SourceName }>> {
  try {
    const result = await look()
    return result.ok
      ? { kind: 'found', source, found: result.value }
      : { kind: 'failed', source, problem: result.problem }
  } catch (error) {
    return { kind: 'failed', source, problem: consoleProblem(error) }
  }
}
