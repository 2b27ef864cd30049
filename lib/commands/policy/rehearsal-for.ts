import 'server-only'
import { canView } from '#lib/commands/access.ts'
import { userIdOf } from '#lib/commands/row.ts'
import { consoleProblem } from '#lib/commands/send.ts'
import { perProcess } from '#lib/config/per-process.ts'
import type { Policy } from '#lib/config/policy.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { shortageWords } from './approvers.ts'
import { type Rehearsal, rehearseInSteps, type Tally, type Unapprovable } from './rehearsal.ts'
import { kindsConcerned, labelOf } from './rehearsal-report.ts'

export interface RehearsalView extends Pick<Rehearsal, 'since' | 'until' | 'sent' | 'met' | 'notGenuine'> {
  readonly kinds: readonly (Tally & { readonly label: string })[]
  readonly people: readonly (Tally & RehearsedPerson)[]
  readonly morePeople: number
  readonly unapprovable: readonly UnapprovableView[]
  /** Also without possible approval, but older than those or hidden from the reader. */
  readonly moreUnapprovable: number
}

interface RehearsedPerson {
  readonly name: string
  readonly userId: string | null
  readonly hasPasskey: boolean
}

interface UnapprovableView extends Pick<Unapprovable, 'id' | 'actorName' | 'at'> {
  readonly label: string
  readonly why: string
}

const DAY_MS = 86_400_000
const PEOPLE_MAX = 200
/** Small, so that other requests of the process go on between reads. */
const PAGE = 200

export type RehearsalFrame =
  | { readonly judged: number }
  | { readonly problem: Problem }
  | { readonly rehearsal: RehearsalView }

const BUSY = problemOf('service', { status: 409, title: 'A rehearsal is running. Try again when it has ended.' })

/** One at a time in a process. Ends when its reader leaves, and stores nothing. */
export async function* rehearseFor(
  session: Session,
  policy: Policy,
  days: number,
): AsyncGenerator<RehearsalFrame, void, undefined> {
  const turn = perProcess('policy rehearsal', () => ({ isTaken: false }))
  if (turn.isTaken) return yield { problem: BUSY }
  turn.isTaken = true
  try {
    const since = new Date(Date.now() - days * DAY_MS).toISOString()
    const rehearsal = rehearseInSteps(await store(), policy, { since, page: PAGE })
    for (let step = await rehearsal.next(); ; step = await rehearsal.next()) {
      if (step.done) return yield { rehearsal: await viewOf(session, policy, step.value) }
      yield { judged: step.value }
    }
  } catch (error) {
    yield { problem: consoleProblem(error) }
  } finally {
    turn.isTaken = false
  }
}

async function viewOf(session: Session, policy: Policy, rehearsal: Rehearsal): Promise<RehearsalView> {
  const { since, until, sent, met, notGenuine, people } = rehearsal
  const unapprovable: UnapprovableView[] = []
  for (const { shortage, actor, kind, id, actorName, at } of rehearsal.unapprovable.toReversed()) {
    if (!(await canView(session, { id, actor, kind }))) continue
    unapprovable.push({ id, label: labelOf(kind), actorName, at, why: shortageWords(shortage) })
  }
  const total = people.reduce((sum, { nobody }) => sum + nobody, 0)
  return {
    ...{ since, until, sent, met, notGenuine, unapprovable },
    moreUnapprovable: total - unapprovable.length,
    kinds: kindsConcerned(rehearsal, policy).map(({ kind, ...tally }) => ({ ...tally, label: labelOf(kind) })),
    people: people.slice(0, PEOPLE_MAX).map(({ actor, ...person }) => ({ ...person, userId: userIdOf(actor) })),
    morePeople: Math.max(0, people.length - PEOPLE_MAX),
  }
}
