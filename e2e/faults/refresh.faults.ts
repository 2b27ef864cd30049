import { randomInt } from 'node:crypto'
import { recordSeen, requireNone } from '../support/figures.ts'
import { expect, test } from '../support/fixtures.ts'
import { OPERATOR_ID } from '../support/sandbox-controls.ts'
import type { Change } from './certainty.ts'
import type { Harm } from './faulty-line.ts'
import { Person } from './person.ts'
import { prepareDeposit } from './prepare-deposit.ts'
import { type FaultWorld, OPERATOR, startFaultWorld } from './world.ts'

const PAGES_AT_ONCE = 5
/** Fewer than the head of any answer has, so none of them can be read. */
const HEAD_BYTES = 150
const NOTE = 'Read with a renewed token'
const WHY = 'Single sign-on cannot be reached'
const TOKENS = '{"access_token":"never given","token_type":"Bearer","refresh_token":"nor this"}'

const head = (status: string, type: string, length: number, more = ''): string =>
  `HTTP/1.1 ${status}\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n${more}Connection: close\r\n\r\n`
const page = (status: string, more = ''): Harm => {
  const text = '<html>Not now.</html>'
  return { to: 'both', begins: head(status, 'text/html', text.length, more) + text, rest: '', how: 'end' }
}
const json = (how: 'end' | 'garble' | 'trickle' | 'reset' | 'silence' | 'endless', from: number): Harm => ({
  to: 'both',
  begins: how === 'endless' ? '' : head('200 OK', 'application/json', TOKENS.length) + TOKENS.slice(0, from),
  rest: TOKENS.slice(from),
  how,
})

const within = (bytes: number): number => randomInt(0, bytes)

/** Something before the provider answers; the refresh token is as good as before. */
const unspent: Readonly<Record<string, () => Harm>> = {
  'the request is reset': () => ({ to: 'request', afterBytes: 0 }),
  'the request is reset in its middle': () => ({ to: 'request', afterBytes: randomInt(1, HEAD_BYTES) }),
  '429 with Retry-After': () => page('429 Too Many Requests', 'Retry-After: 30\r\n'),
  500: () => page('500 Internal Server Error'),
  502: () => page('502 Bad Gateway'),
  '503 with Retry-After': () => page('503 Service Unavailable', 'Retry-After: 30\r\n'),
  '200 with a page': () => page('200 OK'),
  reset: () => json('reset', within(TOKENS.length)),
  'cut off': () => json('end', within(TOKENS.length)),
  garbled: () => json('garble', within(TOKENS.length)),
  trickling: () => json('trickle', 0),
  'without an end': () => json('endless', 0),
  silent: () => json('silence', within(TOKENS.length)),
}

/** The provider has answered, and its answer is lost: it has replaced the refresh token, and nobody has the new one. */
const spent: Readonly<Record<string, () => Harm>> = {
  reset: () => ({ to: 'answer', afterBytes: within(HEAD_BYTES), how: 'reset' }),
  'cut off': () => ({ to: 'answer', afterBytes: within(HEAD_BYTES), how: 'end' }),
  garbled: () => ({ to: 'answer', afterBytes: within(HEAD_BYTES), how: 'garble' }),
  trickling: () => ({ to: 'answer', afterBytes: 0, how: 'trickle' }),
  'without an end': () => ({ to: 'answer', afterBytes: 0, how: 'endless' }),
  silent: () => ({ to: 'answer', afterBytes: within(HEAD_BYTES), how: 'silence' }),
}

test.describe.configure({ timeout: 300_000 })

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((all, one) => all + one, 0)
const isSignIn = (status: number): boolean => (status >= 300 && status < 400) || status === 401

/** What is counted over all ways in which an answer is spoilt. */
const nothingSeen = () => ({ requests: 0, met: 0, signedOut: 0, noPage: 0, unsaid: 0, refreshes: 0, without: 0 })
type Seen = ReturnType<typeof nothingSeen>

/** Pages and a change of a person whose token has ended, while each answer to a refresh is spoilt. */
async function workWhileSpoilt(
  { line }: FaultWorld,
  { person, path, change, harm }: { person: Person; path: string; change: Change; harm: () => Harm },
  seen: Seen,
): Promise<void> {
  let requests = 0
  line.harmEach((method, to) => {
    if (method !== 'POST' || to !== '/idp/token') return null
    requests += 1
    return harm()
  })
  const opening = Array.from({ length: PAGES_AT_ONCE }, () => person.open(path))
  const [pages, told] = await Promise.all([Promise.all(opening), person.confirm(change.id)])
  change.told.push(told)
  line.harmEach(() => null)
  for (const { status, text } of pages) {
    if (isSignIn(status)) seen.signedOut += 1
    else if (status !== 200) seen.noPage += 1
    else if (!text.includes(NOTE) && !text.includes(WHY)) seen.unsaid += 1
  }
  seen.requests += requests
  if (requests > 0) seen.met += 1
}

const required = ({ met, signedOut, noPage, unsaid, refreshes, without }: Seen, ways: number) => ({
  'ways that no refresh met': ways - met,
  'pages that led to sign-in while answers were spoilt': signedOut,
  'pages that were no page': noPage,
  'pages that neither came nor said why': unsaid,
  'refreshes more or fewer than one once answers came whole': refreshes,
  'people who could not work on then': without,
})

for (const [where, ways] of Object.entries({ 'in place of the provider': unspent, 'after the provider': spent })) {
  const scenario = `the answer to a refresh is spoilt ${where}`
  test(scenario, async ({ playwright: { request }, programs, sandbox }) => {
    const world = await startFaultWorld(programs, sandbox, { email: 'admin@example.com', sso: { request } })
    const { line, consoleUrl } = world
    const path = `/transactions/${encodeURIComponent(await sandbox.announceDeposit('ana@example.com', '10', NOTE))}`
    const [seen, changes, unanswered] = [nothingSeen(), [] as Change[], new Set<string>()]
    const people: Person[] = []
    for (const [way, harm] of Object.entries(ways)) {
      const person = await Person.signInWithSso(request, consoleUrl, OPERATOR)
      people.push(person)
      expect(await person.page(path), way).toContain(NOTE)
      const change = await prepareDeposit(sandbox, person)
      changes.push(change)
      world.watch(change)
      await sandbox.expireTokens(OPERATOR_ID)
      const known = new Set(line.refreshed.keys())
      await workWhileSpoilt(world, { person, path, change, harm }, seen)
      for (const token of line.refreshed.keys()) if (!known.has(token)) unanswered.add(token)
      const before = sum(line.refreshed.values())
      const back = await Promise.all(Array.from({ length: PAGES_AT_ONCE }, () => person.open(path)))
      seen.refreshes += Math.abs(sum(line.refreshed.values()) - before - 1)
      if (ways === unspent) seen.without += back.every(({ text }) => text.includes(NOTE)) ? 0 : 1
      // The provider has refused the token that it had replaced: signing in again is all that it takes.
      else if (!isSignIn((await person.open(path)).status)) seen.without += 1
    }
    const anew = await Person.signInWithSso(request, consoleUrl, OPERATOR)
    if (!(await anew.page(path)).includes(NOTE)) seen.without += 1
    for (const { received } of people) anew.received.push(...received)
    const all = Object.keys(ways).length
    recordSeen(scenario, all, { 'refreshes while answers were spoilt': seen.requests })
    requireNone(scenario, all, required(seen, all))
    await world.judge(scenario, changes, {}, { by: anew, unanswered })
    await world.stop()
  })
}
