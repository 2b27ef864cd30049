import { afterAll, afterEach, beforeAll, beforeEach, test } from 'vitest'
import {
  CODE_INVALID,
  CONFIRM,
  CONFIRMED,
  ENROLLED,
  GRANT_INVALID,
  gateConfirming,
  locked,
  NOT_ENROLLED,
  REQUIRED,
  STATUS,
  VERIFY,
} from '#lib/testing/gated-deposit.ts'
import { ok, refused, ScriptedService } from '#lib/testing/scripted-service.ts'
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
const enrolledAgo = (ms: number) => ({
  enrolled: true,
  enrolledAt: new Date(Date.now() - ms).toISOString(),
  lockedUntil: null,
})
const enrolledNow = () => ok(enrolledAgo(0))
const EXTRA = { STEP_UP_EXTRA: 'deposit.confirm' }
const once = { given: [A], wanted: ['code'], codes: [A] } as const

const rows: readonly Row[] = [
  {
    name: 'not enrolled, where the console wants it: nothing is sent',
    enrolmentNeeded: true,
    script: () => ({ [STATUS]: [NOT_ENROLLED] }),
    given: [null],
    wanted: ['enrolment', 'enrolment'],
    ends: 'step-up',
    sent: [],
    codes: [],
  },
  {
    name: 'not enrolled any more, while a grant lives: nothing is sent',
    enrolmentNeeded: true,
    verified: true,
    script: () => ({ [STATUS]: [NOT_ENROLLED] }),
    wanted: ['enrolment'],
    ends: 'step-up',
    sent: [],
    codes: [],
  },
  {
    name: 'not enrolled, where the console leaves it to the service: passes',
    enrolmentNeeded: true,
    environment: { REQUIRE_ENROLMENT: 'off' },
    script: () => ({ [STATUS]: [NOT_ENROLLED] }),
    wanted: [],
    ends: 'done',
    sent: [null],
    codes: [],
  },
  {
    name: 'enrolled, where the service asks for a code: it is asked for first, and one request goes out',
    enrolmentNeeded: true,
    ...once,
    ends: 'done',
    sent: ['grant-1'],
  },
  {
    name: 'enrolled, where the console leaves it to the service: the same',
    enrolmentNeeded: true,
    environment: { REQUIRE_ENROLMENT: 'off' },
    ...once,
    ends: 'done',
    sent: ['grant-1'],
  },
  {
    name: 'a new grant that the service does not take: no second code',
    enrolmentNeeded: true,
    script: () => ({ [CONFIRM]: [REQUIRED] }),
    given: [A, B],
    wanted: ['code'],
    ends: 'refused',
    sent: ['grant-1'],
    codes: [A],
  },
  {
    name: 'a grant that the service no longer takes: one code more',
    enrolmentNeeded: true,
    verified: true,
    script: () => ({ [CONFIRM]: [REQUIRED, CONFIRMED] }),
    ...once,
    ends: 'done',
    sent: ['grant-0', 'grant-1'],
  },
  {
    name: 'enrolment that cannot be read: later, nothing sent, whatever the console leaves to the service',
    enrolmentNeeded: true,
    environment: { REQUIRE_ENROLMENT: 'off' },
    script: () => ({ [STATUS]: [FAULT, NOT_ENROLLED] }),
    given: [null],
    wanted: ['later'],
    ends: 'done',
    sent: [null],
    codes: [],
  },
  {
    name: 'not enrolled, and the answer lost: nobody knows',
    enrolmentNeeded: true,
    environment: { REQUIRE_ENROLMENT: 'off' },
    script: () => ({ [STATUS]: [NOT_ENROLLED], [CONFIRM]: ['drop'] }),
    wanted: [],
    ends: 'unknown',
    sent: [null],
    codes: [],
  },
  {
    name: 'enrolled, sent with a grant, and the answer lost: nobody knows',
    enrolmentNeeded: true,
    verified: true,
    script: () => ({ [CONFIRM]: ['drop'] }),
    wanted: [],
    ends: 'unknown',
    sent: ['grant-0'],
    codes: [],
  },
  {
    // A kind that the console does not know to be gated still goes out without a grant.
    name: 'enrolled, sent without a grant, and the answer lost: not applied',
    script: () => ({ [CONFIRM]: ['drop'] }),
    wanted: [],
    ends: 'refused',
    sent: [null],
    codes: [],
  },
  {
    name: 'enrolled, sent without a grant, and a fault of the service: not applied',
    script: () => ({ [CONFIRM]: [FAULT] }),
    wanted: [],
    ends: 'refused',
    sent: [null],
    codes: [],
  },
  {
    name: 'sent without a grant, the answer lost, and enrolled since: nobody knows',
    script: () => ({ [STATUS]: [enrolledNow()], [CONFIRM]: ['drop'] }),
    wanted: [],
    ends: 'unknown',
    sent: [null],
    codes: [],
  },
  {
    name: 'enrolled within the margin before sending, and the answer lost: nobody knows',
    script: () => ({ [STATUS]: [{ status: 200, body: () => ({ data: enrolledAgo(1500) }) }], [CONFIRM]: ['drop'] }),
    wanted: [],
    ends: 'unknown',
    sent: [null],
    codes: [],
  },
  {
    name: 'sent without a grant, the answer lost, and enrolment cannot be read: nobody knows',
    script: () => ({ [STATUS]: [FAULT], [CONFIRM]: ['drop'] }),
    wanted: [],
    ends: 'unknown',
    sent: [null],
    codes: [],
  },
  {
    name: 'STEP_UP_EXTRA: one code first, then one request, without the grant that nothing asks for',
    gated: false,
    environment: EXTRA,
    ...once,
    ends: 'done',
    sent: [null],
  },
  {
    name: 'STEP_UP_EXTRA with a live grant: no prompt',
    gated: false,
    environment: EXTRA,
    verified: true,
    wanted: [],
    ends: 'done',
    sent: [null],
    codes: [],
  },
  {
    name: 'STEP_UP_EXTRA of who is not enrolled: enrolment, back, one code',
    gated: false,
    environment: EXTRA,
    script: () => ({ [STATUS]: [NOT_ENROLLED, ENROLLED] }),
    given: [null, A],
    wanted: ['enrolment', 'code'],
    ends: 'done',
    sent: [null],
    codes: [A],
  },
  {
    name: 'STEP_UP_EXTRA while enrolment cannot be read: later',
    gated: false,
    environment: EXTRA,
    script: () => ({ [STATUS]: [FAULT, ENROLLED] }),
    given: [null, A],
    wanted: ['later', 'code'],
    ends: 'done',
    sent: [null],
    codes: [A],
  },
  {
    name: 'STEP_UP_EXTRA, verification out: later, nothing sent',
    gated: false,
    environment: EXTRA,
    script: () => ({ [VERIFY]: [GRANT_INVALID] }),
    given: [A],
    wanted: ['code', 'later'],
    ends: 'step-up',
    sent: [],
    codes: [A],
  },
  {
    name: 'STEP_UP_EXTRA, three rejected codes: the end, nothing sent',
    gated: false,
    environment: EXTRA,
    script: () => ({ [VERIFY]: [CODE_INVALID] }),
    given: [A, B, C],
    wanted: ['code', 'code', 'code'],
    ends: 'refused',
    sent: [],
    codes: [A, B, C],
  },
  {
    name: 'STEP_UP_EXTRA while codes are locked: none is sent',
    gated: false,
    environment: EXTRA,
    script: () => ({ [STATUS]: [locked()] }),
    given: [A],
    wanted: ['code', 'code'],
    ends: 'step-up',
    sent: [],
    codes: [],
  },
  {
    name: 'STEP_UP_EXTRA, the facts moved while the code was typed: changed, nothing sent',
    gated: false,
    environment: EXTRA,
    script: (deposit) => ({ [READS]: [deposit.in('QUEUED'), deposit.in('QUEUED'), deposit.in('PROCESSING')] }),
    ...once,
    ends: 'changed',
    sent: [],
  },
  {
    name: 'STEP_UP_EXTRA, the facts moved before: changed, and nobody is asked for a code',
    gated: false,
    environment: EXTRA,
    script: (deposit) => ({ [READS]: [deposit.in('QUEUED'), deposit.in('PROCESSING')] }),
    wanted: [],
    ends: 'changed',
    sent: [],
    codes: [],
  },
]

test.each(rows)('$name', async (row) => {
  await play(service, row)
})
