import { beforeEach, expect, test } from 'vitest'
import { userIdEndingIn } from '#sandbox/seed/people.ts'
import { type TestSandbox, testSandbox } from '#sandbox/testing/test-sandbox.ts'

const BEN = userIdEndingIn('012')
let box: TestSandbox

beforeEach(async () => {
  box = await testSandbox()
  await box.reset()
})

test('what changes while a user is read counts from the next request on', async () => {
  const { db, tokenUsers } = box.sandbox.world
  const reading = tokenUsers.find(db, BEN)
  const changing = box.give('', BEN)
  await Promise.all([reading, changing])
  expect((await tokenUsers.find(db, BEN))?.roles).toBe('')
  await box.give('HOLDER', BEN)
  expect((await tokenUsers.find(db, BEN))?.roles).toBe('HOLDER')
})

test('a reset gives everybody the roles of the seeded world', async () => {
  const { db, tokenUsers } = box.sandbox.world
  await box.give('', BEN)
  expect((await tokenUsers.find(db, BEN))?.roles).toBe('')
  await box.reset()
  expect((await tokenUsers.find(db, BEN))?.roles).toBe('HOLDER')
})

test('a user is read once for many requests', async () => {
  const { db, tokenUsers } = box.sandbox.world
  const once = await tokenUsers.find(db, BEN)
  expect(await tokenUsers.find(db, BEN)).toBe(once)
})
