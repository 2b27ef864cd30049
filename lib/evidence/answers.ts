import 'server-only'
import { createHash } from 'node:crypto'
import type { Line } from '#lib/commands/command.ts'
import type { Dossier } from '#lib/commands/evidence.ts'
import { type DisputeCase, type DisputeMessage, disputeCase, disputeMessage } from '#lib/contract/disputes.ts'
import { parseJson } from '#lib/contract/json.ts'
import { type Transaction, transaction } from '#lib/contract/transactions.ts'
import { type CaseParties, roleIn } from '#lib/disputes/resolution.ts'
import { mergeMessages } from '#lib/disputes/thread/thread.ts'
import type { Html, Part } from '#lib/values/html.ts'
import { ownProperty, serviceWord } from '#lib/values/words.ts'
import {
  block,
  code,
  type Fact,
  factList,
  html,
  indented,
  isRecord,
  named,
  rawValue,
  shownValue,
  splitting,
  timeOf,
} from './html.ts'

type Answer = Dossier['answers'][number]

interface Message {
  readonly value: DisputeMessage
  /** With the fields beyond the contract. */
  readonly whole: Readonly<Record<string, unknown>>
}

type Read = { readonly answer: Answer } & (
  | {
      readonly what: 'case'
      readonly value: DisputeCase
      readonly whole: Message['whole']
      readonly messages: readonly Message[]
    }
  | { readonly what: 'thread'; readonly messages: readonly Message[] }
  | { readonly what: 'transaction'; readonly value: Transaction; readonly whole: Message['whole'] }
  | { readonly what: 'other' }
)

export function answerSections(answers: Dossier['answers']): readonly Html[] {
  const read = answers.map(readAnswer)
  const cases = read.filter((one) => one.what === 'case')
  const transactions = read.filter((one) => one.what === 'transaction')
  const threads = read.filter((one) => one.what === 'thread')
  const messages = [...cases, ...threads].flatMap((one) => one.messages)
  const parties = { ...NO_PARTIES, ...cases.at(-1)?.value, ...transactions.at(-1)?.value }
  return [
    ...cases.map(({ answer, whole }) => section('Case', answer, fieldsOf(whole, caseFields))),
    ...transactions.map(({ answer, whole }) => section('Transaction', answer, fieldsOf(whole, transactionFields))),
    ...(answers.some(isOfTransaction) ? [] : cases.map(({ value }) => noTransaction(value.referenceId))),
    ...(threads.length === 0 && messages.length === 0 ? [] : [threadSection(threads, messages, parties)]),
    ...read
      .filter(({ what }) => what === 'other')
      .map(({ answer }) => section('Answer of the service', answer, block(readable(answer.body)))),
  ]
}

const isOfTransaction = ({ request }: Pick<Answer, 'request'>): boolean =>
  /\/Transaction\/[^/]+$/.test(request.replace(/\?.*/, ''))

const noTransaction = (referenceId: string): Html =>
  html`<section><h2>Transaction</h2><p>Not in this file: the service found no transaction ${code(referenceId)}.</p></section>`

const NO_PARTIES: CaseParties = { raisedByUserId: '', counterpartyUserId: '', fromAccountId: null, toAccountId: null }

function readAnswer(answer: Answer): Read {
  const [path = ''] = answer.request.split('?')
  const data = dataOf(answer.body)
  if (isOfTransaction(answer)) {
    const found = transaction.safeParse(data)
    if (found.success && isRecord(data)) return { answer, what: 'transaction', value: found.data, whole: data }
  }
  const isCase = /\/Dispute\/[^/]+$/.test(path)
  const messages = isRecord(data) ? messagesIn(data.messages ?? (isCase ? [] : null)) : null
  if (messages === null || !isRecord(data)) return { answer, what: 'other' }
  if (/\/Dispute\/[^/]+\/messages$/.test(path)) return { answer, what: 'thread', messages }
  const found = disputeCase.safeParse(data)
  if (!isCase || !found.success) return { answer, what: 'other' }
  const whole = Object.fromEntries(Object.entries(data).filter(([name]) => name !== 'messages'))
  return { answer, what: 'case', value: found.data, whole, messages }
}

function dataOf(body: string): unknown {
  try {
    const read = parseJson(body)
    return isRecord(read) ? read.data : null
  } catch {
    return null
  }
}

function messagesIn(rows: unknown): readonly Message[] | null {
  if (!Array.isArray(rows)) return null
  const read = rows.map((whole) => ({ whole, value: disputeMessage.safeParse(whole).data }))
  return read.every((one): one is Message => one.value !== undefined) ? read : null
}

function readable(body: string): string {
  try {
    return indented(parseJson(body))
  } catch {
    return body
  }
}

const source = ({ request, at, body }: Answer): Html =>
  html`<p class="source">As the service answered at ${timeOf(at)} to ${code(request)}; SHA-256 ${code(createHash('sha256').update(body).digest('hex'))}</p>`

const section = (title: string, answer: Answer, content: Html): Html =>
  html`<section><h2>${title}</h2>${source(answer)}${content}</section>`

type Known = Readonly<
  Record<string, readonly [label: string, as: Line['as'] | 'transactionType' | 'resolutionOutcome']>
>

const caseFields: Known = {
  id: ['Case', 'id'],
  referenceId: ['Transaction', 'reference'],
  status: ['State', 'case-state'],
  reason: ['Reason', 'text'],
  raisedByUserId: ['Raised by', 'id'],
  counterpartyUserId: ['Against', 'id'],
  createdAt: ['Opened', 'time'],
  resolvedAt: ['Resolved', 'time'],
  resolutionOutcome: ['Outcome', 'resolutionOutcome'],
  resolutionReason: ['Reason of the decision', 'text'],
  resolvedByUserId: ['Decided by', 'id'],
}

const transactionFields: Known = {
  referenceId: ['Reference', 'reference'],
  transactionType: ['Type', 'transactionType'],
  state: ['State', 'state'],
  fromAccountId: ['Sender', 'id'],
  debit: ['Sender pays', 'money'],
  toAccountId: ['Recipient', 'id'],
  credit: ['For the recipient', 'money'],
  createdAt: ['Created', 'time'],
  settledAt: ['Settled', 'time'],
  note: ['Note', 'text'],
  failReason: ['Failed because', 'text'],
  transactionId: ['Ledger row', 'mono'],
  chainReferenceId: ['Chain reference', 'mono'],
  txContractAddress: ['Contract address', 'mono'],
  txContractVersion: ['Contract version', 'mono'],
}

function fieldsOf(whole: Message['whole'], known: Known): Html {
  const names = [...Object.keys(known), ...Object.keys(whole).filter((name) => !Object.hasOwn(known, name))]
  const given = names.filter((name) => Object.hasOwn(whole, name) && whole[name] !== null && whole[name] !== '')
  return factList(given.map((name) => factOf(name, whole[name], known)))
}

function factOf(name: string, value: unknown, known: Known): Fact {
  const [label, as] = ownProperty(known, name) ?? [null, 'text']
  const shown = label ?? code(name)
  if (typeof value !== 'string') return [shown, namesIn(value) ?? rawValue(value)]
  if (as !== 'transactionType' && as !== 'resolutionOutcome') return [shown, shownValue(value, as)]
  return [shown, named(serviceWord(as, value) ?? value, value)]
}

/** Of attachments; null for other values. */
function namesIn(value: unknown): string | null {
  if (!Array.isArray(value)) return null
  const names = value.map((one) => (isRecord(one) ? (one.fileName ?? one.name) : null))
  return names.every((name) => typeof name === 'string') ? names.join(', ') : null
}

function threadSection(
  threads: readonly Pick<Read, 'answer'>[],
  found: readonly Message[],
  parties: CaseParties,
): Html {
  const wholeOf = new Map(found.map(({ value, whole }) => [value, whole]))
  const values = found.map(({ value }) => value)
  const messages = mergeMessages([], values) as readonly DisputeMessage[]
  return html`<section><h2>Thread: ${messages.length} ${messages.length === 1 ? 'message' : 'messages'}</h2>
${threads.map(({ answer }) => source(answer))}
<ol class="thread">${messages.map((message) => messageItem(message, wholeOf.get(message) ?? {}, parties))}</ol></section>`
}

function messageItem(message: DisputeMessage, whole: Message['whole'], parties: CaseParties): Html {
  const { senderUserId, isSystemMessage, body, createdAt } = message
  const author: Part =
    isSystemMessage || senderUserId === null ? 'The service' : [roleIn(parties, senderUserId), ' ', code(senderUserId)]
  const more = Object.entries(whole).filter(([name]) => !Object.hasOwn(message, name))
  const said = html`${body}`
  return html`<li${splitting(said)}><p>${timeOf(createdAt)} · ${author}</p>
<p class="said" dir="auto">${said}</p>${more.length === 0 ? null : fieldsOf(Object.fromEntries(more), {})}</li>`
}
