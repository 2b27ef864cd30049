import { PROBLEM_CONTENT_TYPE } from '#lib/contract/problem.ts'
import { dress } from './dress.ts'
import { noContent, ok, type Reply, refuse } from './reply.ts'
import { otherVariant, type Variant } from './variants.ts'

/** An answer as it goes out. */
export interface Written {
  readonly status: number
  readonly type: string | null
  readonly text: string
  readonly headers?: Readonly<Record<string, string>>
}

export function written({ status, data, problem }: Reply, { unknownFields, ids }: Variant): Written {
  if (data === undefined && problem === undefined) return { status, type: null, text: '' }
  const type = problem === undefined ? 'application/json' : PROBLEM_CONTENT_TYPE
  return { status, type, text: JSON.stringify(dress(problem ?? { data }, unknownFields, ids)) }
}

/** What goes wrong with one change. */
export interface Fault {
  /** `later`: when a test lets the service work. */
  readonly makes: 'now' | 'later' | 'never'
  /**
   * `answer`: the true one. `cut`: the connection is closed without an answer; `reset`: it is reset; `half`: in the middle of the
   * answer. `silence`: nothing comes, and the connection stays open.
   */
  readonly ends: Written | 'answer' | 'cut' | 'reset' | 'half' | 'silence'
}

export const page = (status: number): Written => ({
  status,
  type: 'text/html; charset=utf-8',
  text: '<!doctype html><title>One moment</title><h1>Your request is being checked.</h1>',
})

/** An answer of the service itself, as it usually writes them. */
export const answer = (reply: Reply): Written => written(reply, otherVariant)

/** Successes by their status that say nothing about the change. */
export const emptySuccesses: Readonly<Record<string, Written>> = {
  'a page': page(200),
  'a page with 201': page(201),
  null: { status: 200, type: 'application/json', text: '{"data":null}' },
  'no data': { status: 200, type: 'application/json', text: '{"ok":true}' },
  'an object without fields': answer(ok({})),
  'plain text': { status: 200, type: 'text/plain', text: 'OK' },
  'no body': { status: 200, type: null, text: '' },
  'a body that breaks off': { status: 200, type: 'application/json', text: '{"data":{"referenceId":"' },
}

/** Faults that leave open whether the change was made. */
export const failures: Readonly<Record<string, Written>> = {
  500: answer(refuse(500)),
  'a page with 403': page(403),
  'a page with 404': page(404),
  'a page with 502': page(502),
  'an empty 404': { status: 404, type: null, text: '' },
  503: answer(refuse(503)),
}

/** By the interface nothing has happened after these. */
export const refusals: Readonly<Record<string, Written>> = {
  409: answer(refuse(409)),
  429: { ...answer(refuse(429)), headers: { 'retry-after': '5' } },
  'a 500 after which nothing changed': answer(refuse(500, 'core::tessera::update::fail')),
}

export const lostBefore: Fault = { makes: 'never', ends: 'cut' }
export const lostAfter: Fault = { makes: 'now', ends: 'cut' }
/** The connection is cut, and the change is made when a test lets it. */
export const late: Fault = { makes: 'later', ends: 'cut' }
export const acceptedForLater: Fault = { makes: 'later', ends: answer({ status: 202, data: null }) }
/** A success without a body, by the interface. */
export const doneWithoutBody: Fault = { makes: 'now', ends: answer(noContent) }
/** Refused before any effect, for want of a token that still counts. */
export const unauthorized: Fault = { makes: 'never', ends: answer(refuse(401)) }
/** The service acts and says that it did not: nobody can know. */
export const refusedAfterActing: Fault = { makes: 'now', ends: answer(refuse(409)) }
