import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest'
import type { Session } from '#lib/session/session.ts'
import { changes, factorChanges } from '#lib/testing/other-changes.ts'
import { otherConsole, verified } from '#lib/testing/other-console.ts'
import { OtherService } from '#lib/testing/other-service/other-service.ts'
import { interruptions, Trial, unprovenSuccesses } from '#lib/testing/other-trial.ts'

let service: OtherService
let session: Session

beforeAll(async () => {
  service = await OtherService.start()
})
afterAll(() => service.stop())
beforeEach(async () => {
  session = await otherConsole(service, { codeDigits: 6 })
  verified(service, session)
})

describe.each([...changes, ...factorChanges])('$name', (change) => {
  test.each([...unprovenSuccesses(change), ...interruptions])('is shown as it is after $name', (encounter) =>
    Trial.expectTruthAfter(service, session, change, encounter),
  )
})
