import { expect, test } from 'vitest'
import type { Problem } from '#lib/contract/problem.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import { problemWords } from './problem-words.ts'

const problem = (change: Partial<Problem>): Problem => ({ ...problemOf('service', { status: 400 }), ...change })

test.each<[Partial<Problem>, string, string]>([
  [{ status: 404, title: 'No such transaction.' }, 'Not found, or not visible to you', 'exactly'],
  [{ status: 409, title: 'Only a queued deposit can be confirmed.' }, 'Only a queued deposit', 'Nothing changed'],
  [{ status: 403, scope: 'core:transactions:read' }, 'not permitted', 'core:transactions:read'],
  [{ status: 403, title: 'No.' }, 'No.', 'Nothing changed'],
  [{ status: 403, title: 'No.' }, 'No.', 'administrator'],
  [{ status: 400, title: ' ' }, 'The service refused', 'Check your input'],
  [{ status: 429, retryAfterSeconds: 7 }, 'Too many requests', 'The service needs a pause.'],
  [{ status: 500, title: 'NullReferenceException at Foo.Bar' }, 'could not answer', 'trace id'],
  [{ status: 503, code: 'core::gatekeeper::grant::invalid' }, 'Verification is not available', 'no code'],
  [{ status: 404, code: 'core::tessera::not_found' }, 'Card not found, or not visible to you', 'exactly'],
  [{ status: 409, code: 'core::tessera::request::invalid', title: 'T' }, 'state does not allow', 'Nothing changed'],
  [{ status: 500, code: 'core::tessera::update::fail' }, 'could not save the card', 'Nothing changed'],
  [{ status: 404, code: 'core::tessera::terminal::not_found' }, 'Not found, or not visible to you', 'merchant'],
  [{ status: 400, code: 'core::tessera::terminal::invalid' }, 'did not accept the terminal', 'Nothing changed'],
  [{ status: 409, code: 'core::tessera::terminal::already_registered' }, 'already registered', 'another merchant'],
  [{ status: 500, code: 'core::tessera::terminal::update::fail' }, 'could not save the terminal', 'Nothing changed'],
  [{ kind: 'unreachable', status: null }, 'The service cannot be reached', 'Try again'],
  [{ kind: 'sign-on-out', status: null }, 'Single sign-on cannot be reached', 'You stay signed in'],
  [{ kind: 'unreadable', status: 200 }, 'cannot be read', 'data is not valid'],
  [{ kind: 'console', status: 429, title: 'Too many tabs' }, 'Too many tabs', 'Close some'],
  [{ kind: 'session-over', status: null }, 'session has ended', 'Sign in again'],
])('%o', (change, title, advice) => {
  const words = problemWords(problem(change), 'change')
  expect(words.title).toContain(title)
  // A read changes nothing, and is not told so.
  expect(problemWords(problem(change)).advice).not.toMatch(/nothing (was )?changed/i)
  expect(words.advice).toContain(advice)
})

test('titles of the service’s own faults are not shown', () => {
  const words = problemWords(problem({ status: 500, title: 'NullReferenceException' }))
  expect(JSON.stringify(words)).not.toContain('NullReference')
})
