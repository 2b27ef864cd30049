import 'server-only'
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Line } from '#lib/commands/command.ts'
import {
  type Agreement,
  type Answered,
  type Description,
  equalsId,
  faultsOf,
  type Reconciliation,
  resembles,
  serviceCommand,
} from '#lib/commands/kind.ts'
import type { DisputeMessage } from '#lib/contract/disputes.ts'
import { caseStateWords } from '#lib/disputes/case-state.ts'
import { isOf, postMessage, threadMessage } from '#lib/disputes/dispute-service.ts'
import { recordMessages } from '#lib/disputes/unread/thread-table.ts'
import { putDeadline } from '#lib/disputes/workspace/answer-deadline.ts'
import { assignToAuthor } from '#lib/disputes/workspace/assign-cases.ts'
import { caseId } from '#lib/disputes/workspace/case-assignment.ts'
import { refusedUnlessAssignee, unlessClosedTo } from '#lib/disputes/workspace/case-people.ts'
import { casePlace, laterTimeFault } from '#lib/disputes/workspace/workspace.ts'
import { removeSentText } from '#lib/session/unsent-text.ts'
import { messagePlace } from '#lib/session/unsent-text-place.ts'
import { shortId } from '#lib/values/ids.ts'
import { isSameText } from '#lib/values/text.ts'
import { readWholeThread, type WholeThread } from './case-thread.ts'
import {
  MESSAGE_LINE,
  messageFault,
  messageKey,
  splitAnswerLine,
  type ThreadMessage,
  withoutMessages,
} from './thread.ts'

/** `answerBy`: ISO 8601; the body ends with it in words. */
const params = z.strictObject({ caseId, body: z.string().trim(), answerBy: z.string().optional() })

type Params = z.output<typeof params>

/** `same`: ids of earlier messages with a similar text. `whole`: yes or no; absent in old commands. */
type Facts = Readonly<Record<'status' | 'same', string>> & { readonly whole?: string }

const withBody = ({ messages }: WholeThread, body: string): readonly ThreadMessage[] =>
  messages.filter((message) => !message.isSystemMessage && isSameText(message.body, body))

const sentBy = ({ senderUserId }: ThreadMessage, actorUserId: string | null): boolean =>
  actorUserId !== null && senderUserId?.toLowerCase() === actorUserId.toLowerCase()

function seen(input: Params, { same, whole }: Facts, thread: WholeThread, actorUserId: string | null): Reconciliation {
  const before = new Set(same.split(' '))
  const news = withBody(thread, input.body).filter((message) => !before.has(messageKey(message)))
  const mine = news.filter((message) => sentBy(message, actorUserId))
  const found = mine.find(({ body }) => body.trim() === input.body)
  if (found !== undefined && whole === 'yes') {
    return { settled: true, shows: 'The message is in the thread.', description: posted(input, found.id) }
  }
  if (mine.length > 0) {
    const shows =
      found === undefined
        ? 'A similar message is in the thread.'
        : 'A message with this text is in the thread; it may be an earlier one.'
    return { settled: false, showsNoEffect: false, shows }
  }
  // Without a known user id, the author cannot be checked.
  if (actorUserId === null && news.length > 0) {
    return { settled: false, showsNoEffect: false, shows: 'The message is in the thread, but its author is not known.' }
  }
  const shows = thread.missing === 0 ? 'It is not in the thread.' : 'The thread cannot be read fully.'
  const { status } = thread.case
  const closed = status === 'OPEN' ? '' : `The case is ${caseStateWords(status).word}. `
  return { settled: false, showsNoEffect: thread.missing === 0, shows: closed + shows }
}

function compareAnswer({ params, facts, data, actorUserId }: Answered<Params, Facts, DisputeMessage>): Agreement {
  const agrees =
    isOf(params.caseId, data) &&
    !data.isSystemMessage &&
    (actorUserId === null || equalsId(actorUserId)(data.senderUserId)) &&
    resembles(params.body)(data.body) &&
    !facts.same.split(' ').includes(messageKey(data))
  return agrees ? 'agrees' : 'contradicts'
}

const answerFault = ({ body, answerBy }: Params): string | null =>
  answerBy === undefined || splitAnswerLine(body).until === answerBy
    ? null
    : 'The message does not end with this deadline. Choose it again.'

const posted = ({ caseId, body, answerBy }: Params, id: string | null): Description => ({
  steps: [],
  lines: [
    { label: 'Case', value: caseId, as: 'id' },
    { label: 'Text', value: body, as: 'text' },
    ...(answerBy === undefined ? [] : [{ label: 'Answer by', value: answerBy, as: 'time' } satisfies Line]),
    ...(id === null ? [] : [{ label: MESSAGE_LINE, value: id, as: 'id' } satisfies Line]),
  ],
})

/** `POST Dispute/{caseId}/messages`. */
export const disputeMessage = serviceCommand<Params, Facts, DisputeMessage>({
  kind: 'dispute.message',
  place: casePlace,
  params,
  immediate: true,
  checkParams: (input) =>
    faultsOf({
      body: messageFault(input.body),
      answerBy:
        input.answerBy === undefined ? null : (laterTimeFault(input.answerBy, Date.now()) ?? answerFault(input)),
    }),
  async readFacts(session, { caseId, body }, author) {
    const problem = await unlessClosedTo(session, caseId, author)
    if (problem !== null) return { ok: false, problem }
    const read = await readWholeThread(session, caseId)
    if (!read.ok) return read
    const same = withBody(read.value, body).map(messageKey).join(' ')
    const whole = read.value.missing === 0 ? 'yes' : 'no'
    return { ok: true, value: { status: read.value.case.status, same, whole }, serviceTime: null }
  },
  checkFacts: (_params, { status }) =>
    faultsOf({ body: status === 'RESOLVED' ? 'This case is resolved. Its thread is closed.' : null }),
  checkLast: refusedUnlessAssignee,
  target: ({ caseId }) => caseId,
  locks: ({ caseId, body }, { actor }) => [{ key: `message:${caseId}:${actor}:${hashOf(body)}`, permanent: false }],
  describeLockConflict: () => ({
    field: 'body',
    what: 'This message is already being sent, or its outcome is not known yet',
  }),
  title: ({ caseId }) => `Post a message in case ${shortId(caseId)}`,
  doneTitle: ({ caseId }) => `Message posted in case ${shortId(caseId)}`,
  summary: (input) => posted(input, null).lines,
  factLines: ({ status }) => [{ label: 'Case', value: status, as: 'case-state' }],
  affectedBy: ['dispute.message', 'dispute.resolve'],
  consequence: () => 'Both sides can read it. It cannot be undone.',
  async send(session, { caseId, body }) {
    const sent = await postMessage(session, caseId, body)
    if (sent.kind === 'answer' && sent.data !== null && isOf(caseId, sent.data))
      await recordMessages(caseId, [threadMessage(sent.data)])
    return sent
  },
  compareAnswer,
  describeSuccess: (input, _facts, { id }) => posted(input, id),
  async onSettled(trx, { commandId, actor, params: { caseId, body, answerBy: until }, data: message }) {
    await removeSentText(trx, actor, messagePlace(caseId), (text) => withoutMessages(text, [{ body }]))
    if (until !== undefined) await putDeadline(trx, { caseId, commandId, until, message })
  },
  async reconcile(session, input, { facts, actorUserId }) {
    const read = await readWholeThread(session, input.caseId)
    if (!read.ok) return read.problem
    return seen(input, facts, read.value, actorUserId)
  },
  async afterConfirming(session, { caseId }, state) {
    if (state === 'done') await assignToAuthor(session, caseId)
  },
  reconcileScope: 'core:disputes:read',
  checking: 'Checking whether it was delivered.',
  unknownAdvice: 'Don’t resend yet.',
})

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32)
