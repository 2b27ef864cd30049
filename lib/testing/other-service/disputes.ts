import { randomUUID } from 'node:crypto'
import { type Call, gate, ok, pageOf, type Reply, refuse, same } from './reply.ts'
import { resolutionReply } from './resolution-reply.ts'
import { type Case, type Message, now, type World } from './world.ts'

const FIRST_PAGE = 7

const shown = (found: Case) => ({
  id: found.id,
  referenceId: found.payment.referenceId,
  raisedByUserId: found.payment.fromAccountId,
  counterpartyUserId: found.payment.toAccountId,
  status: found.resolvedAt === null ? 'OPEN' : 'RESOLVED',
  reason: 'Not as described.',
  resolutionOutcome: found.outcome,
  resolutionReason: found.reason,
  resolvedByUserId: found.resolvedBy,
  createdAt: found.createdAt,
  resolvedAt: found.resolvedAt,
})

const messageShown =
  ({ id: disputeCaseId }: Case) =>
  ({ id, senderUserId, body, createdAt }: Message) => ({
    id,
    disputeCaseId,
    senderUserId,
    isSystemMessage: senderUserId === null,
    body,
    createdAt,
  })

let turns = 0

/** In the order that the variant asks for; `moving` begins elsewhere each time. */
function ordered({ variant }: World, messages: readonly Message[]): readonly Message[] {
  if (variant.messages === 'oldest') return messages
  if (variant.messages === 'newest') return messages.toReversed()
  turns += 1
  const first = turns % Math.max(1, messages.length)
  return [...messages.slice(first), ...messages.slice(0, first)]
}

const visible = ({ world, caller, id }: Call): Case | undefined =>
  world.cases.find((one) => same(one.id, id) && (caller.admin || isParty(one, caller.userId)))

const isParty = ({ payment }: Case, userId: string): boolean =>
  same(payment.fromAccountId, userId) || same(payment.toAccountId, userId)

export function list({ world, caller, query }: Call): Reply {
  const all = caller.admin && query.get('all') === 'true'
  const status = all ? query.get('status') : null
  const cases = world.cases
    .filter((one) => all || isParty(one, caller.userId))
    .map(shown)
    .filter((one) => status === null || one.status === status)
  return ok({ cases: pageOf(cases, query), totalCount: cases.length })
}

export function readOne(call: Call): Reply {
  const found = visible(call)
  if (found === undefined) return refuse(404)
  const messages = ordered(call.world, found.messages).slice(0, FIRST_PAGE).map(messageShown(found))
  return ok({ ...shown(found), messages })
}

export function messages(call: Call): Reply {
  const found = visible(call)
  if (found === undefined) return refuse(404)
  const rows = ordered(call.world, found.messages)
  return ok({ messages: pageOf(rows, call.query).map(messageShown(found)), totalCount: rows.length })
}

export function post(call: Call): Reply {
  const found = visible(call)
  if (found === undefined) return refuse(404)
  if (found.resolvedAt !== null) return refuse(400)
  const { caller, world } = call
  const message = {
    id: randomUUID(),
    senderUserId: caller.userId,
    body: world.kept(String(call.body.body)),
    createdAt: now(),
  }
  found.messages.push(message)
  world.happened('message', String(call.body.body), caller)
  return ok(messageShown(found)(message))
}

/** Money and case in one; a case whose money was moved elsewhere is closed as it is. */
export function resolveCase(call: Call): Reply {
  const found = visible(call)
  const refused = gate(call)
  if (refused !== null || found === undefined) return refused ?? refuse(404)
  if (found.resolvedAt !== null) return refuse(400)
  const { world, body, caller } = call
  const [release, reason] = [body.releaseToRecipient === true, world.kept(String(body.resolutionReason))]
  return resolutionReply(world, world.decideCase(found.payment.referenceId, release, reason, caller))
}
