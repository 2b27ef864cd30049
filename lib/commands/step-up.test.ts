import { afterAll, afterEach, beforeAll, beforeEach, test } from 'vitest'
import {
  CODE_INVALID,
  CONFIRM,
  CONFIRMED,
  ENROL_REQUIRED,
  ENROLLED,
  GRANT_INVALID,
  gateConfirming,
  granted,
  NOT_ENROLLED,
  REQUIRED,
  STATUS,
  VERIFY,
} from '#lib/testing/gated-deposit.ts'
import { refused, type Scripted, ScriptedService } from '#lib/testing/scripted-service.ts'
import { play, READS, type Row } from '#lib/testing/step-up-row.ts'
import { freshConsole } from '#lib/testing/test-console.ts'

let service: ScriptedService

beforeAll(async () => {
  service = await ScriptedService.start()
  await freshConsole()
})
beforeEach(() => service.reset())
afterEach(() => gateConfirming('never', false))
afterAll(() => service.stop())

const [A, B, C] = ['111111', '222222', '333333']
const FAULT = refused(500, 'core::fault')
const confirming = (...answers: Scripted[]) => ({ [CONFIRM]: answers })
const once = { given: [A], wanted: ['code'], codes: [A] } as const

const rows: readonly Row[] = [
  {
    name: 'no grant: one code, then the same request once more, with the grant',
    script: () => confirming(REQUIRED, CONFIRMED),
    ...once,
    ends: 'done',
    sent: [null, 'grant-1'],
  },
  { name: 'a live grant: no prompt', verified: true, wanted: [], ends: 'done', sent: ['grant-0'], codes: [] },
  {
    name: 'a grant that the service no longer takes: one code',
    verified: true,
    script: () => confirming(REQUIRED, CONFIRMED),
    ...once,
    ends: 'done',
    sent: ['grant-0', 'grant-1'],
  },
  {
    name: 'a second 403: the service’s fault, not asked again',
    script: () => confirming(REQUIRED, REQUIRED),
    ...once,
    ends: 'refused',
    sent: [null, 'grant-1'],
  },
  {
    name: 'a second 403 that wants enrolment: the same',
    script: () => confirming(REQUIRED, ENROL_REQUIRED),
    ...once,
    ends: 'refused',
    sent: [null, 'grant-1'],
  },
  {
    name: 'enrolment wanted by the service: enrolment, back, one code',
    script: () => ({ ...confirming(ENROL_REQUIRED, CONFIRMED), [STATUS]: [NOT_ENROLLED, ENROLLED] }),
    given: [null, A],
    wanted: ['enrolment', 'code'],
    ends: 'done',
    sent: [null, 'grant-1'],
    codes: [A],
  },
  {
    name: 'verification out, told by the request itself: refused, no prompt',
    script: () => confirming(GRANT_INVALID),
    wanted: [],
    ends: 'refused',
    sent: [null],
    codes: [],
  },
  {
    name: 'verification out, told by the repeat: refused, no second prompt',
    script: () => confirming(REQUIRED, GRANT_INVALID),
    ...once,
    ends: 'refused',
    sent: [null, 'grant-1'],
  },
  ...[GRANT_INVALID, FAULT, refused(429, 'core::pause'), 'drop' as const].map(
    (answer): Row => ({
      name: `a code that meets ${answer === 'drop' ? 'silence' : answer.status}: later, sent once, and may be tried again`,
      script: () => ({ ...confirming(REQUIRED, CONFIRMED), [VERIFY]: [answer, granted('grant-1')] }),
      given: [A, null, B],
      wanted: ['code', 'later', 'code'],
      ends: 'done',
      sent: [null, 'grant-1'],
      codes: [A, B],
    }),
  ),
  {
    name: 'a first and a second rejected code: asked again',
    script: () => ({
      ...confirming(REQUIRED, CONFIRMED),
      [VERIFY]: [CODE_INVALID, CODE_INVALID, granted('grant-1')],
    }),
    given: [A, B, C],
    wanted: ['code', 'code', 'code'],
    ends: 'done',
    sent: [null, 'grant-1'],
    codes: [A, B, C],
  },
  {
    name: 'a third rejected code: the end',
    script: () => ({ ...confirming(REQUIRED), [VERIFY]: [CODE_INVALID] }),
    given: [A, B, C],
    wanted: ['code', 'code', 'code'],
    ends: 'refused',
    sent: [null],
    codes: [A, B, C],
  },
  {
    name: 'what is no code: asked again, and not sent',
    script: () => confirming(REQUIRED),
    given: ['123'],
    wanted: ['code', 'code'],
    ends: 'step-up',
    sent: [null],
    codes: [],
  },
  {
    name: 'the facts moved while the code was typed: changed, not sent again',
    script: (deposit) => ({
      ...confirming(REQUIRED),
      [READS]: [deposit.in('QUEUED'), deposit.in('QUEUED'), deposit.in('PROCESSING')],
    }),
    ...once,
    ends: 'changed',
    sent: [null],
  },
  {
    name: 'the facts cannot be read after the code: later, and then no other code',
    script: (deposit) => ({
      ...confirming(REQUIRED, CONFIRMED),
      [READS]: [deposit.in('QUEUED'), deposit.in('QUEUED'), FAULT, deposit.in('QUEUED')],
    }),
    given: [A, null],
    wanted: ['code', 'later'],
    ends: 'done',
    sent: [null, 'grant-1'],
    codes: [A],
  },
  {
    name: 'an endpoint that is not gated: no grant goes along',
    gated: false,
    verified: true,
    wanted: [],
    ends: 'done',
    sent: [null],
    codes: [],
  },
]

test.each(rows)('$name', async (row) => {
  await play(service, row)
})
