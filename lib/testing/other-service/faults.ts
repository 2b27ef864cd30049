import { PROBLEM_CONTENT_TYPE } from '#lib/contract/problem.ts'
import { dress } from './dress.ts'
import { type Reply, refuse } from './reply.ts'
import type { Variant } from './variants.ts'

/**
 * What goes wrong with one change. `late`: the connection is cut, and the change is made when a test lets it. `accepted`:
 * as well, but the answer is 202. `broken`: 500, and nothing was done. Those that end in `after` were done.
 */
export type Fault =
  | 'lost-before'
  | 'lost-after'
  | 'late'
  | 'accepted'
  | 'broken'
  | 'broken-after'
  | 'gateway-after'
  | 'garbled-after'
  | 'empty-after'

/** An answer as it goes out. */
export interface Written {
  readonly status: number
  readonly type: string | null
  readonly text: string
}

export function written({ status, data, problem }: Reply, { unknownFields, ids }: Variant): Written {
  if (data === undefined && problem === undefined) return { status, type: null, text: '' }
  const type = problem === undefined ? 'application/json' : PROBLEM_CONTENT_TYPE
  return { status, type, text: JSON.stringify(dress(problem ?? { data }, unknownFields, ids)) }
}

const broken = refuse(500)

/** Makes the change, or keeps it for later, or not, and answers what goes out; null when the connection is cut. */
export function meet(fault: Fault, make: () => Reply, later: (make: () => Reply) => void, variant: Variant) {
  if (fault === 'late' || fault === 'accepted') later(make)
  else if (fault.endsWith('after')) make()
  const answers: Readonly<Record<Fault, Written | null>> = {
    'lost-before': null,
    'lost-after': null,
    late: null,
    accepted: written({ status: 202, data: null }, variant),
    broken: written(broken, variant),
    'broken-after': written({ status: 500, problem: { title: 'It broke, but the change was made.' } }, variant),
    'gateway-after': { status: 502, type: 'text/html', text: '<h1>Bad gateway</h1>' },
    'garbled-after': { status: 200, type: 'application/json', text: '{"data":{"referenceId":"' },
    'empty-after': { status: 200, type: null, text: '' },
  }
  return answers[fault]
}
