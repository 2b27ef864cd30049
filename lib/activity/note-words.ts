import { ownProperty } from '#lib/values/words.ts'

export const TRACE_ID = 'traceId'

/** Fields without a label are shown by name. */
const names: Readonly<Record<string, string>> = {
  [TRACE_ID]: 'Trace',
  again: 'Sent again',
  answer: 'How it is known',
  changed: 'Changed in the store',
  code: 'Code',
  approversHold: 'Who approves holds as well',
  approversAdminister: 'Who approves',
  approversPasskey: 'Who approves is there',
  approvalsGiven: 'Approvals given',
  approvalsNeeded: 'Approvals needed',
  asks: 'Wanted because',
  assertion: 'Confirmed with the passkey',
  askedSum: 'This one, BZD',
  decision: 'Decision',
  denial: 'Stopped',
  dismissed: 'Needs attention',
  ended: 'Ended',
  freed: 'Freed',
  holder: 'Assignee',
  late: 'Late',
  limitCount: 'Limit, changes',
  limitFrom: 'Limit of those from, BZD',
  limitSum: 'Limit, BZD',
  needs: 'Needs',
  passkey: 'Passkey',
  policyNow: 'Policy now',
  preparedUnder: 'Prepared under policy',
  recoveredBy: 'Noticed by process',
  register: 'Entry in the register',
  says: 'Its answer',
  shows: 'The service shows',
  status: 'HTTP status',
  usedCount: 'Used, changes',
  usedSum: 'Used, BZD',
  what: 'What',
  why: 'Why',
}

const answers: Readonly<Record<string, string>> = {
  answer: 'the service answered',
  'not-sent': 'nothing was sent',
  lost: 'no usable answer came',
  'session-over': 'the session was over',
  read: 'read from the service',
  'by hand': 'said by a person',
}

const agreements: Readonly<Record<string, string>> = {
  agrees: 'agrees with the change',
  silent: 'does not say that it took effect',
  contradicts: 'contradicts the change',
  unreadable: 'cannot be read',
  nothing: 'has no body',
}

const values: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  answer: answers,
  says: agreements,
  again: { true: 'with a verified code' },
  approversAdminister: { true: 'administers this console' },
  approversPasskey: { true: 'with a passkey' },
  dismissed: { true: 'no longer' },
  denial: {
    limit: 'beyond a limit of the policy',
    'policy-changed': 'the policy has changed',
    'effect-differs': 'it was changed in the store after it was prepared',
    'approval-missing': 'it has not been approved',
    'passkey-missing': 'its author was not there with a passkey',
  },
}

export function noteWords(name: string, value: string): readonly [name: string, value: string] {
  return [ownProperty(names, name) ?? name, ownProperty(ownProperty(values, name) ?? {}, value) ?? value]
}
