import { expect, test } from 'vitest'
import { duringWork, markWritten } from '#lib/config/log.ts'
import { DatabaseError } from '#lib/database/database-error.ts'
import { commandFault } from './endpoint.ts'

const aRequest = () => ({ id: 'request', route: '/api/commands/[id]', person: null, hasWritten: false })
const bodyOf = (error: unknown) => commandFault(error).text()

test('says that nothing changed when a statement fails', async () => {
  const body = await duringWork({ request: aRequest() }, () => bodyOf(new DatabaseError('ECONNRESET', 'insert')))
  expect(body).toContain('so nothing was changed')
})

test('denies no change whose commit got no answer', async () => {
  expect(await bodyOf(new DatabaseError('ECONNRESET', 'commit'))).toBe('')
})

test('denies no change that was recorded before the failure', async () => {
  const body = await duringWork({ request: aRequest() }, async () => {
    markWritten()
    return await bodyOf(new DatabaseError('ECONNRESET', 'select'))
  })
  expect(body).toBe('')
})
