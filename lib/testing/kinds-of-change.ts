import { randomUUID } from 'node:crypto'
import { OVERSIGHT } from '#lib/authorization/table.ts'
import { isCommand } from '#lib/commands/kind.ts'
import { findAwaiting } from '#lib/commands/policy/approval-table.ts'
import { askForApproval } from '#lib/commands/policy/approvals.ts'
import { recordKnownPerson } from '#lib/commands/policy/known-people.ts'
import type { Assertion } from '#lib/commands/policy/passkeys.ts'
import { withdrawCommand } from '#lib/commands/prepare.ts'
import { findCommand } from '#lib/commands/store.ts'
import { endpoints } from '#lib/contract/endpoints.ts'
import { findEntry } from '#lib/disputes/named-list.ts'
import { readWholeThread } from '#lib/disputes/thread/case-thread.ts'
import { withAnswerLine } from '#lib/disputes/thread/thread.ts'
import { recordCandidate } from '#lib/disputes/workspace/case-people.ts'
import { type CommandKindName, commandKinds } from '#lib/kind-names.ts'
import { kinds } from '#lib/kinds.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { decide } from './approval-world.ts'
import { ISSUE, NEW_CARD } from './card-world.ts'
import { runCommand } from './command-run.ts'
import { ownFactor } from './own-factor.ts'
import { ownPasskey } from './own-passkey.ts'
import { refundOfDisputed, settlements, settleOpen } from './settlements.ts'
import { inDays, raiseCase } from './test-case.ts'
import { freshWorld, type TestService } from './test-service.ts'
import { signedIn } from './test-session.ts'

const idOf = (end: string) => `00000000-0000-4000-8000-${end.padStart(12, '0')}`
/** In BZD. */
const LITTLE = 1

/** All that are drafted and sent. What is only put on record is one statement of one transaction, and takes no parameters. */
export const draftedKinds = commandKinds.filter((kind) => isCommand(kinds[kind]))

/** A change that can be made, on an object of its own. */
export interface Change {
  readonly session: Session
  readonly params: object
  readonly proof?: string
  readonly code?: string
  /** What a passkey signs for it, once it is drafted; or it is approved then. */
  sign?(id: string): Promise<Assertion | null>
}

interface KindForTest {
  /** The endpoint, by whose parameters in braces its path is made; null where nothing goes to the service. */
  readonly sends: { readonly method: string; readonly path: string } | null
  make(): Promise<Change>
  /** Whether what it changes here is changed. */
  took?(change: Change): Promise<boolean>
}

export interface World {
  readonly service: TestService
  readonly operator: Session
  readonly admin: Session
  /** An arbitrator who is not enrolled in two-factor security passes at the service without a code. */
  readonly newcomer: Session
  readonly kinds: Readonly<Partial<Record<CommandKindName, KindForTest>>>
}

/** A fresh console and service, and how to make a change of every kind that is drafted and sent, as often as wanted. */
export async function worldOfChanges(): Promise<World> {
  const service = await freshWorld({ REQUIRE_ENROLMENT: 'off', STAFF_ADMIN_SCOPES: OVERSIGHT.join() })
  const operator = await signedIn(service, 'operator@example.com', idOf('1'))
  const admin = await signedIn(service, 'admin@example.com', idOf('3'))
  const newcomer = await signedIn(service, 'newcomer@example.com', idOf('5'))
  const people = { service, operator, admin, newcomer }
  return {
    ...people,
    kinds: {
      ...moneyAndCards(people),
      ...handedOver(people),
      ...cases(people),
      ...putOff(people),
      ...categories(people),
      ...snippets(people),
      ...ownFactor(service, operator, 'operator@example.com'),
      ...ownPasskey(operator),
      ...settlements(people),
      ...erasures(people),
    },
  }
}

export type People = Omit<World, 'kinds'>

const erasures = ({ operator, admin }: People) => ({
  'change.erase': {
    sends: null,
    async make() {
      // An author may have twenty that wait for approval.
      const waiting = await findAwaiting(await store())
      for (const { id } of waiting) await withdrawCommand(operator, id)
      const { command } = await runCommand(operator, 'card.block', { cardId: randomUUID(), last4: '', reason: 'Lost.' })
      return {
        session: operator,
        params: { id: command.id, reason: 'The holder asked for it.' },
        async sign(id: string) {
          await askForApproval(operator, id, { reason: '', proof: null })
          await decide(admin, id)
          return null
        },
      }
    },
    async took({ params }: Change) {
      return (await findCommand(await store(), (params as { id: string }).id))?.erased_at !== null
    },
  },
})

/** An operator hands a new deposit to the administrator. */
async function handingOver({ service, operator, admin }: People) {
  await recordKnownPerson(admin)
  return { session: operator, params: { referenceId: await service.announceDeposit('10'), to: admin.actor } }
}

const handedOver = (people: People) => ({
  'deposit.hand-over': { sends: null, make: () => handingOver(people) },
  'deposit.hand-back': {
    sends: null,
    async make() {
      const { session, params } = await handingOver(people)
      await runCommand(session, 'deposit.hand-over', params)
      return { session, params: { referenceId: params.referenceId } }
    },
  },
})

const moneyAndCards = ({ service, operator }: People) => ({
  'deposit.confirm': {
    sends: endpoints.transactions.confirmDeposit,
    async make() {
      const referenceId = await service.announceDeposit('10')
      return { session: operator, params: { referenceId, bankReference: `ATL ${randomUUID()}`, statementAmount: '10' } }
    },
  },
  'card.issue': {
    sends: endpoints.cards.issue,
    async make() {
      await settleOpen(operator)
      return { session: operator, params: NEW_CARD }
    },
  },
  'card.register': {
    sends: null,
    async make() {
      await settleOpen(operator)
      await service.fault('POST', ISSUE, 'drop-after')
      const { command } = await runCommand(operator, 'card.issue', NEW_CARD)
      const card = { cardId: randomUUID(), last4: '4242', why: 'read out by the holder' }
      return { session: operator, params: { ...card, issueId: command.id } }
    },
  },
  'card.block': {
    sends: endpoints.cards.block,
    make: async () => ({ session: operator, params: { cardId: randomUUID(), last4: '', reason: 'Lost.' } }),
  },
  'terminal.register': {
    sends: endpoints.terminals.register,
    async make() {
      const terminalUid = `PAX-${randomUUID().slice(0, 8)}`
      return { session: operator, params: { merchantId: 'merchant-001', terminalUid, label: 'counter-9' } }
    },
  },
  'terminal.disable': {
    sends: endpoints.terminals.disable,
    async make() {
      const { accessToken: token } = await service.login('operator@example.com')
      const body = { merchantId: 'merchant-001', terminalUid: `PAX-${randomUUID()}`, label: '' }
      const { data } = await service.call('POST', '/api/v1/merchant-terminals', { token, body })
      return {
        session: operator,
        params: { terminalId: String(data?.id), reason: 'Lost.' },
        proof: body.terminalUid,
      }
    },
  },
  'totp.enrol': {
    sends: endpoints.security.enrol,
    make: async () => ({ session: operator, params: {} }),
  },
})

async function newSnippet(session: Session) {
  await settleOpen(session)
  return { id: randomUUID(), name: `Ask ${randomUUID()}`, text: 'Which day was it?', changedAt: '' }
}

async function savedSnippet(session: Session) {
  const snippet = await newSnippet(session)
  await runCommand(session, 'snippet.save', snippet)
  return {
    id: snippet.id,
    changedAt: (await findEntry(await store(), { table: 'snippet' }, snippet.id))?.changedAt ?? '',
  }
}

const cases = ({ service, newcomer, admin }: People) => ({
  'case.assign': {
    sends: null,
    make: async () => ({ session: newcomer, params: { caseId: (await raiseCase(service, LITTLE)).id } }),
  },
  'case.unassign': {
    sends: null,
    async make() {
      const { id: caseId } = await raiseCase(service, LITTLE)
      await runCommand(newcomer, 'case.assign', { caseId })
      return { session: newcomer, params: { caseId } }
    },
  },
  'case.reassign-to-me': {
    sends: null,
    async make() {
      const { id: caseId } = await raiseCase(service, LITTLE)
      await runCommand(admin, 'case.assign', { caseId })
      return { session: newcomer, params: { caseId, from: admin.actor } }
    },
  },
  'case.reassign': {
    sends: null,
    async make() {
      const { id: caseId } = await raiseCase(service, LITTLE)
      await recordCandidate(admin)
      await runCommand(newcomer, 'case.assign', { caseId })
      return { session: newcomer, params: { caseId, to: admin.actor } }
    },
  },
  'case.note': {
    sends: null,
    make: async () => ({
      session: newcomer,
      params: { caseId: (await raiseCase(service, LITTLE)).id, text: 'Check again.' },
    }),
  },
  'case.watch': {
    sends: null,
    make: async () => ({
      session: newcomer,
      params: { caseId: (await raiseCase(service, LITTLE)).id, watching: true },
    }),
  },
  'dispute.message': {
    sends: endpoints.disputes.post,
    make: async () => ({
      session: newcomer,
      params: { caseId: (await raiseCase(service, LITTLE)).id, body: 'Any news?' },
    }),
  },
  'dispute.resolve': {
    sends: endpoints.disputes.resolve,
    async make() {
      const { id: caseId, referenceId } = await raiseCase(service, LITTLE)
      const thread = await readWholeThread(newcomer, caseId)
      const latestMessageId = thread.ok ? (thread.value.messages.at(-1)?.id ?? '') : ''
      const reason = 'The parcel never left the depot.'
      return { session: newcomer, params: { caseId, referenceId, decision: 'refund', reason, latestMessageId } }
    },
  },
  'transaction.resolve': {
    sends: endpoints.transactions.resolveDispute,
    make: async () => ({ session: newcomer, params: await refundOfDisputed(service) }),
  },
})

const putOff = ({ service, newcomer }: People) => ({
  'case.snooze': {
    sends: null,
    async make() {
      const { id: caseId } = await raiseCase(service, LITTLE)
      await runCommand(newcomer, 'case.assign', { caseId })
      return { session: newcomer, params: { caseId, until: inDays(7) } }
    },
  },
  'assignee.away': {
    sends: null,
    make: async () => ({ session: newcomer, params: { person: newcomer.actor, until: inDays(7).slice(0, 10) } }),
  },
  'case.drop-deadline': {
    sends: null,
    async make() {
      const { id: caseId } = await raiseCase(service, LITTLE)
      const answerBy = `${inDays(2).slice(0, 16)}:00.000Z`
      const body = withAnswerLine('Any news?', answerBy)
      await runCommand(newcomer, 'dispute.message', { caseId, body, answerBy })
      return { session: newcomer, params: { caseId, until: answerBy } }
    },
  },
  'case.wake': {
    sends: null,
    async make() {
      const { id: caseId } = await raiseCase(service, LITTLE)
      await runCommand(newcomer, 'case.assign', { caseId })
      await runCommand(newcomer, 'case.snooze', { caseId, until: inDays(7) })
      return { session: newcomer, params: { caseId } }
    },
  },
})

async function newCategory(session: Session) {
  await settleOpen(session)
  // At most fifty are in use.
  const removed_at = new Date().toISOString()
  await (await store()).updateTable('case_category').set({ removed_at }).where('removed_at', 'is', null).execute()
  return { id: randomUUID(), name: `Late ${randomUUID()}`, changedAt: '' }
}

async function savedCategory(session: Session) {
  const category = await newCategory(session)
  await runCommand(session, 'category.save', category)
  const saved = await findEntry(await store(), { table: 'case_category' }, category.id)
  return { id: category.id, changedAt: saved?.changedAt ?? '' }
}

/** None stays in use, since a decision would need one. */
async function retiredCategory(session: Session) {
  const category = await savedCategory(session)
  await runCommand(session, 'category.retire', category)
  return category
}

const categories = ({ newcomer }: People) => ({
  'category.save': {
    sends: null,
    async make() {
      const { id, changedAt } = await savedCategory(newcomer)
      return { session: newcomer, params: { id, changedAt, name: `Later ${id}` } }
    },
  },
  'category.retire': {
    sends: null,
    make: async () => ({ session: newcomer, params: await savedCategory(newcomer) }),
  },
  'category.restore': {
    sends: null,
    make: async () => ({ session: newcomer, params: { id: (await retiredCategory(newcomer)).id } }),
  },
})

const snippets = ({ newcomer }: People) => ({
  'snippet.save': {
    sends: null,
    make: async () => ({ session: newcomer, params: await newSnippet(newcomer) }),
  },
  'snippet.remove': {
    sends: null,
    make: async () => ({ session: newcomer, params: await savedSnippet(newcomer) }),
  },
  'snippet.restore': {
    sends: null,
    async make() {
      const snippet = await savedSnippet(newcomer)
      await runCommand(newcomer, 'snippet.remove', snippet)
      return { session: newcomer, params: { id: snippet.id } }
    },
  },
})
