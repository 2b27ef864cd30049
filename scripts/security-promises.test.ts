import { existsSync, globSync } from 'node:fs'
import { expect, test } from 'vitest'
import { securityPromises } from './security-promises.ts'

const promises = securityPromises()
const named = promises.flatMap(({ files }) => files)

test('each promise of SECURITY.md names tests, and each of them is there', () => {
  expect(promises.length).toBeGreaterThan(15)
  expect(promises.filter(({ files }) => files.length === 0)).toEqual([])
  expect(named.filter((file) => !/\.(test\.tsx?|spec\.ts)$/.test(file) || !existsSync(file))).toEqual([])
})

test('every file of the security suite proves a promise', () => {
  const suite = globSync('e2e/security/*.spec.ts').map((file) => file.replaceAll('\\', '/'))
  expect(suite.length).toBeGreaterThan(5)
  expect(suite.filter((file) => !named.includes(file))).toEqual([])
})
