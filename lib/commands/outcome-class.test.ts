import { expect, test } from 'vitest'
import { problemOf } from '#lib/contract/problem-of.ts'
import { SIGN_ON_OUT } from '#lib/service/client.ts'
import { classify, notSent } from './outcome.ts'

const answer = (status: number, code: string | null = null) => ({
  status,
  problem: problemOf('service', { status, code }),
})

test.each([
  [answer(200), 'success'],
  [answer(201), 'success'],
  [answer(204), 'success'],
  [answer(202), 'accepted'],
  [answer(302), 'unknown'],
  [answer(400), 'refused'],
  [answer(401), 'refused'],
  [answer(403), 'refused'],
  [answer(403, 'core::gatekeeper::required'), 'challenged'],
  [answer(403, 'core::gatekeeper::enrol::required'), 'challenged'],
  [answer(503, 'core::gatekeeper::required'), 'unknown'],
  [answer(404), 'refused'],
  [answer(408), 'unknown'],
  [answer(409), 'refused'],
  [answer(423), 'refused'],
  [answer(429), 'refused'],
  [answer(499), 'unknown'],
  [answer(500), 'unknown'],
  [answer(500, 'core::tessera::update::fail'), 'refused'],
  [answer(500, 'core::tessera::terminal::update::fail'), 'refused'],
  [answer(500, 'core::gatekeeper::enrol::fail'), 'refused'],
  [answer(500, 'core::server::fail'), 'unknown'],
  [answer(502), 'unknown'],
  [answer(503), 'unknown'],
  [answer(503, 'core::gatekeeper::grant::invalid'), 'refused'],
  [{ status: 403, problem: problemOf('unreadable') }, 'unknown'],
  [answer(504), 'unknown'],
])('%o is %s', (given, expected) => {
  expect(classify(given)).toBe(expected)
})

test.each([
  ['store', 'The console’s database cannot be read'],
  ['console', 'The console could not send it'],
  [SIGN_ON_OUT, 'Single sign-on cannot be reached'],
  ['ECONNREFUSED', 'The service cannot be reached'],
])('a change of which nothing went out, for the reason %s, is told as that', (why, title) => {
  expect(notSent(why)).toMatchObject({ sent: false, title, advice: expect.stringContaining('Nothing was sent') })
})
