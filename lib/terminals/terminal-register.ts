import 'server-only'
import { z } from 'zod'
import type { AcceptedAnswer, Line } from '#lib/commands/command.ts'
import {
  compareFields,
  equals,
  type FieldFaults,
  faultsOf,
  type Reconciliation,
  resembles,
  serviceCommand,
} from '#lib/commands/kind.ts'
import type { Row } from '#lib/contract/endpoint.ts'
import type { Terminal } from '#lib/contract/terminals.ts'
import { cleanReference, isSameText } from '#lib/values/text.ts'
import { labelFault, merchantIdFault, registerTitle, terminalUidFault } from './terminal.ts'
import { listTerminals, registerTerminal } from './terminal-service.ts'
import { terminalStateWords } from './terminal-state.ts'

const typed = z.string().trim()
const id = z.string().overwrite(cleanReference)
const params = z.strictObject({ merchantId: id, terminalUid: id, label: typed })

type Params = z.output<typeof params>

type Facts = Readonly<Record<'terminalId' | 'status', string>>

type Terminals = readonly Row<Terminal>[]

const withUid = (terminals: Terminals, uid: string): Terminal | undefined =>
  terminals.flatMap((row) => (row.readable ? [row.value] : [])).find(({ terminalUid }) => terminalUid === uid)

const lines = ({ merchantId, terminalUid, label }: Params): Line[] => [
  { label: 'Merchant', value: merchantId, as: 'mono' },
  { label: 'UID', value: terminalUid, as: 'mono' },
  { label: 'Label', value: label === '' ? 'none' : label, as: 'text' },
]

function seen(input: Params, terminals: Terminals, answer: AcceptedAnswer | null): Reconciliation {
  const terminal = withUid(terminals, input.terminalUid)
  if (terminal === undefined) {
    const like = terminals.find((row) => row.readable && isSameText(row.value.terminalUid, input.terminalUid))
    if (like?.readable) {
      const shows = `The merchant’s list has a similar UID: ${like.value.terminalUid}.`
      return { settled: false, showsNoEffect: false, shows }
    }
    // The unreadable row may be this UID.
    const whole = terminals.every(({ readable }) => readable)
    const shows = whole ? 'The UID is not in the merchant’s list.' : 'Part of the merchant’s list cannot be read.'
    return { settled: false, showsNoEffect: whole, shows }
  }
  // Another person may have registered the UID, with another label. Without one, the service may choose it.
  const isChosen = input.label === '' && answer === 'success'
  if (!isChosen && !isSameText(terminal.label, input.label)) {
    const shows = `The UID is in the merchant’s list, labelled ${terminal.label === '' ? 'nothing' : terminal.label}.`
    return { settled: false, showsNoEffect: false, shows }
  }
  return {
    settled: true,
    shows: `The UID is in the merchant’s list: the terminal is ${terminalStateWords(terminal.status).word}.`,
    description: {
      steps: [],
      lines: [
        ...lines({ ...input, label: terminal.label }),
        { label: 'Terminal', value: terminal.id, as: 'id' },
        { label: 'State', value: terminal.status, as: 'terminal-state' },
      ],
    },
  }
}

/** `POST merchant-terminals`. Needs no confirmation: a terminal can be disabled, and its UID is unique. */
export const terminalRegister = serviceCommand<Params, Facts, unknown>({
  kind: 'terminal.register',
  place: ({ target }) => ({
    href: `/terminals?${new URLSearchParams({ merchant: target })}`,
    words: 'Open the merchant',
  }),
  params,
  immediate: true,
  checkParams: ({ merchantId, terminalUid, label }) =>
    faultsOf({
      merchantId: merchantIdFault(merchantId),
      terminalUid: terminalUidFault(terminalUid),
      label: labelFault(label),
    }),
  async readFacts(session, { merchantId, terminalUid }) {
    const result = await listTerminals(session, merchantId)
    if (!result.ok) return result
    const terminal = withUid(result.value, terminalUid)
    return { ...result, value: { terminalId: terminal?.id ?? '', status: terminal?.status ?? '' } }
  },
  checkFacts: (_params, { terminalId }): FieldFaults =>
    terminalId === '' ? {} : { terminalUid: 'This merchant already has a terminal with this UID.' },
  target: ({ merchantId }) => merchantId,
  locks: ({ terminalUid }) => [{ key: `terminal-uid:${terminalUid}`, permanent: false }],
  describeLockConflict: () => ({ field: 'terminalUid', what: 'This UID is already being registered' }),
  title: ({ merchantId, terminalUid }) => registerTitle(merchantId, terminalUid),
  doneTitle: ({ merchantId, terminalUid }) => `Terminal ${terminalUid} registered at ${merchantId}`,
  summary: lines,
  factLines: ({ terminalId, status }) =>
    terminalId === ''
      ? [{ label: 'The merchant’s list', value: 'does not have the UID', as: 'text' }]
      : [
          { label: 'Terminal', value: terminalId, as: 'id' },
          { label: 'State', value: status, as: 'terminal-state' },
        ],
  consequence: () => 'The reader takes cards for this merchant.',
  send: (session, { label, ...terminal }) =>
    registerTerminal(session, label === '' ? terminal : { ...terminal, label }),
  compareAnswer: ({ params: { merchantId, terminalUid, label }, data }) =>
    compareFields(
      data,
      {
        merchantId: resembles(merchantId),
        terminalUid: equals(terminalUid),
        label: resembles(label),
        status: equals('ACTIVE'),
      },
      ['merchantId', 'terminalUid', 'status'],
      // The service may choose a label itself.
      label === '' ? ['label'] : [],
    ),
  describeSuccess: (input) => ({ steps: [], lines: lines(input) }),
  async reconcile(session, input, { answer }) {
    const result = await listTerminals(session, input.merchantId)
    return result.ok ? seen(input, result.value, answer) : result.problem
  },
  reconcileScope: 'core:merchant_terminals:read',
  checking: 'Checking whether the UID is in the merchant’s list.',
  unknownAdvice: 'Don’t register the reader anywhere else yet.',
})
