import 'server-only'
import { z } from 'zod'
import type { Line } from '#lib/commands/command.ts'
import { compareFields, equals, equalsId, faultsOf, serviceCommand } from '#lib/commands/kind.ts'
import type { Terminal } from '#lib/contract/terminals.ts'
import { noteFault } from '#lib/values/text.ts'
import { timeInText } from '#lib/values/time.ts'
import { ASK_WHY_DISABLE, disableProof, nameOf, terminalIdFault } from './terminal.ts'
import { disableTerminal, readTerminal } from './terminal-service.ts'
import { disableFault, terminalStateWords } from './terminal-state.ts'

const typed = z.string().trim()
const params = z.strictObject({ terminalId: typed, reason: typed })

type Params = z.output<typeof params>

type Facts = Readonly<Record<'merchantId' | 'terminalUid' | 'label' | 'status' | 'registeredAt' | 'updatedAt', string>>

const factsOf = ({ id: _, ...facts }: Terminal): Facts => facts

const factLines = ({ merchantId, terminalUid, label, status, registeredAt, updatedAt }: Facts): Line[] => [
  { label: 'State', value: status, as: 'terminal-state' },
  { label: 'Label', value: label === '' ? 'none' : label, as: 'text' },
  { label: 'UID', value: terminalUid, as: 'mono' },
  { label: 'Merchant', value: merchantId, as: 'mono' },
  { label: 'Registered', value: registeredAt, as: 'time' },
  { label: 'Updated', value: updatedAt, as: 'time' },
]

const outcomeLines = ({ terminalId, reason }: Params, facts: Facts): Line[] => [
  { label: 'Terminal', value: terminalId, as: 'id' },
  { label: 'UID', value: facts.terminalUid, as: 'mono' },
  { label: 'Merchant', value: facts.merchantId, as: 'mono' },
  { label: 'Reason', value: reason, as: 'text' },
]

export const terminalDisable = serviceCommand<Params, Facts, unknown>({
  kind: 'terminal.disable',
  place: ({ target }) => ({ href: `/terminals/${encodeURIComponent(target)}`, words: 'Open the terminal' }),
  params,
  immediate: false,
  checkParams: ({ terminalId, reason }) =>
    faultsOf({ terminalId: terminalIdFault(terminalId), reason: noteFault(reason, ASK_WHY_DISABLE) }),
  async readFacts(session, { terminalId }) {
    const result = await readTerminal(session, terminalId)
    return result.ok ? { ...result, value: factsOf(result.value) } : result
  },
  checkFacts: (_params, { status }) => faultsOf({ terminalId: disableFault(status) }),
  proof: (_params, facts) => disableProof(facts),
  target: ({ terminalId }) => terminalId.toLowerCase(),
  locks: ({ terminalId }) => [{ key: `terminal:${terminalId.toLowerCase()}`, permanent: false }],
  describeLockConflict: () => ({ field: 'terminalId', what: 'This terminal is already being disabled' }),
  title: (_params, facts) => `Disable terminal ${nameOf(facts)}`,
  doneTitle: (_params, facts) => `Terminal ${nameOf(facts)} disabled`,
  summary: ({ reason }, facts) => [...factLines(facts), { label: 'Reason', value: reason, as: 'text' }],
  factLines,
  movingFacts: ['updatedAt'],
  consequence: () => 'The reader stops taking cards immediately. This cannot be undone.',
  send: (session, { terminalId }) => disableTerminal(session, terminalId),
  compareAnswer: ({ params: { terminalId }, facts: { terminalUid, merchantId }, data }) =>
    compareFields(
      data,
      {
        id: equalsId(terminalId),
        status: equals('DISABLED'),
        terminalUid: equals(terminalUid),
        merchantId: equals(merchantId),
      },
      ['id', 'status'],
    ),
  describeSuccess: (input, facts) => ({
    steps: [],
    lines: [{ label: 'State', value: 'DISABLED', as: 'terminal-state' }, ...outcomeLines(input, facts)],
  }),
  async reconcile(session, input, { facts }) {
    const result = await readTerminal(session, input.terminalId)
    if (!result.ok) return result.problem
    const { status, updatedAt } = result.value
    const shows = `The terminal is ${terminalStateWords(status).word}, last changed ${timeInText(updatedAt)}.`
    if (status !== 'DISABLED') return { settled: false, showsNoEffect: status === 'ACTIVE', shows }
    // The goal is reached even if another person disabled the reader.
    const lines: Line[] = [
      { label: 'State', value: status, as: 'terminal-state' },
      ...outcomeLines(input, facts),
      { label: 'Disabled by', value: 'not given by the service', as: 'text' },
    ]
    return { settled: true, shows, description: { steps: [], lines } }
  },
  reconcileScope: 'core:merchant_terminals:read',
  checking: 'Checking whether the terminal is disabled.',
  unknownAdvice: 'Take the reader out of use until this is known.',
})
