/** What came back from one attempt to send a change. */
export type Answer =
  | { readonly kind: 'not-sent' }
  | { readonly kind: 'lost' }
  | { readonly kind: 'answer'; readonly status: number; readonly code: string | null }

export type OutcomeClass = 'not-sent' | 'done' | 'accepted' | 'refused' | 'challenged' | 'unknown'

/** Faults of the service after which, by interface.md's table of error codes, nothing changed. */
const NOTHING_CHANGED = new Set([
  'core::tessera::update::fail',
  'core::tessera::terminal::update::fail',
  'core::gatekeeper::enrol::fail',
])

/** Refused for want of a second factor (interface.md, "Step-up verification"). */
const SECOND_FACTOR = new Set(['core::gatekeeper::required', 'core::gatekeeper::enrol::required'])

/** A gateway in between gives these when it stopped waiting; the service may have gone on. */
const GAVE_UP_WAITING = new Set([408, 499])

/**
 * Sorts an answer by what may have happened at the service. Whatever leaves room for doubt is `unknown`: only a refusal
 * that the interface gives as such, or a connection that was never made, says that nothing happened.
 */
export function classify(answer: Answer): OutcomeClass {
  if (answer.kind === 'not-sent') return 'not-sent'
  if (answer.kind === 'lost') return 'unknown'
  const { status, code } = answer
  if (status === 202) return 'accepted'
  if (status >= 200 && status < 300) return 'done'
  if (status === 403 && code !== null && SECOND_FACTOR.has(code)) return 'challenged'
  if (status >= 400 && status < 500) return GAVE_UP_WAITING.has(status) ? 'unknown' : 'refused'
  if (status === 503 && code === 'core::gatekeeper::grant::invalid') return 'refused'
  if (status === 500 && code !== null && NOTHING_CHANGED.has(code)) return 'refused'
  return 'unknown'
}
