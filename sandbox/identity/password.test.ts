import { expect, test } from 'vitest'
import { hashPassword, passwordMatches } from './password.ts'

test('a password that has matched matches again, for its own hash alone, and no other one does', async () => {
  const [own, another] = await Promise.all([hashPassword('Sandbox-Pass-1'), hashPassword('Another-Pass-1')])
  for (const _time of ['first', 'again']) {
    expect(await passwordMatches('Sandbox-Pass-1', own)).toBe(true)
    expect(await passwordMatches('Sandbox-Pass-1', another)).toBe(false)
    expect(await passwordMatches('Sandbox-Pass-2', own)).toBe(false)
  }
})
