import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { configureForTest, testEnvironment } from '#lib/testing/test-console.ts'
import { lookAtPasted, readPasted } from './pasted-claims.ts'

const CANARY = 'canary-value'
/** Where nothing listens. */
const nowhere = { CORE_API_URL: 'http://127.0.0.1:9', OIDC_ISSUER: 'http://127.0.0.1:9', PORT: '9' }
const path = { STAFF_CLAIM: 'realm_access.roles=staff', STAFF_ADMIN_CLAIM: 'realm_access.roles=chief' }
const token = (claims: object) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${CANARY}`
const staff = { sub: CANARY, realm_access: { roles: ['staff', CANARY] } }

/** The findings about it, without any of its values. */
function lookAt(pasted: string | null, change: Readonly<Record<string, string>> = path): readonly string[] {
  const findings = lookAtPasted(configureForTest(change), pasted)
  expect(JSON.stringify(findings)).not.toContain('canary')
  return findings.map(({ level, what }) => `${level} ${what}`)
}

test.each([
  ['as JSON', ` ${JSON.stringify(staff)}\n`],
  ['as a whole token', token(staff)],
])('shows what the claims give, %s', (_what, pasted) => {
  expect(lookAt(pasted)).toEqual([
    'good OIDC_USER_ID_CLAIM gives a user id for the pasted payload.',
    'good STAFF_CLAIM admits the pasted payload.',
    'note STAFF_ADMIN_CLAIM makes no administrator: none of its texts is configured (texts: 2, other items: 0).',
  ])
})

test.each([
  [{ groups: ['canary'] }, 'none of its texts is configured (texts: 1, other items: 0)'],
  [{}, 'it is absent'],
  [{ groups: [7] }, 'it has no text (texts: 0, other items: 1)'],
  [{ _claim_names: { groups: 'canary' } }, 'use app roles instead'],
])('names why %j is refused', (claims, words) => {
  const findings = lookAt(JSON.stringify(claims), {})
  expect(findings[0]).toMatch(/^wrong OIDC_USER_ID_CLAIM/)
  expect(findings[1]).toMatch(/^wrong STAFF_CLAIM does not admit/)
  expect(findings[1]).toContain(words)
})

test.each([null, '', CANARY, '[]', '"canary"', `a.${CANARY}.b`, '{"canary":'])('refuses %j', (pasted) => {
  expect(lookAt(pasted)).toEqual(['wrong The pasted payload cannot be read.'])
})

test('reads a file of at most 1 MB', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'console-doctor-'))
  const file = join(folder, 'payload.json')
  writeFileSync(file, JSON.stringify(staff))
  expect(await readPasted(file)).toBe(JSON.stringify(staff))
  writeFileSync(file, 'x'.repeat(2_000_000))
  expect(await readPasted(file)).toBeNull()
  rmSync(folder, { recursive: true })
  expect(await readPasted(file)).toBeNull()
})

test('shows its usage, and nothing of a token in the arguments', async () => {
  const token = 'eyJ.canary.canary'
  const doctor = spawn(process.execPath, ['--conditions=react-server', 'scripts/doctor.ts', token], { stdio: 'pipe' })
  let printed = ''
  for (const stream of [doctor.stdout, doctor.stderr]) stream.on('data', (part) => (printed += String(part)))
  expect(await once(doctor, 'close')).toEqual([2, null])
  expect(printed).toMatch(/^Usage: /)
  expect(printed).not.toContain('canary')
})

test('reads standard input and leaves no value behind', async () => {
  const doctor = spawn(process.execPath, ['--conditions=react-server', 'scripts/doctor.ts', '--claims', '-'], {
    env: { ...process.env, ...testEnvironment, ...path, ...nowhere },
  })
  let printed = ''
  for (const stream of [doctor.stdout, doctor.stderr]) stream.on('data', (part) => (printed += String(part)))
  doctor.stdin.end(token(staff))
  await once(doctor, 'close')
  expect(printed).toContain('STAFF_CLAIM admits the pasted payload.')
  expect(printed).not.toContain('canary')
})
