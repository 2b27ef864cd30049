import { randomInt, randomUUID } from 'node:crypto'
import { type Call, noContent, ok, type Reply, refuse, same } from './reply.ts'
import { type IssuedCard, now, type Terminal } from './world.ts'

const cardShown = (card: IssuedCard, cardNumber: string | null) => ({
  id: card.id,
  userId: card.userId,
  cardNumber,
  last4: card.number.slice(-4),
  cardType: JSON.rawJSON(`${card.cardType}`),
  cardTypeName: '',
  printedName: card.printedName,
  status: card.blocked ? 'BLOCKED' : 'UNISSUED',
  frozen: false,
  issuedAt: card.issuedAt,
  activatedAt: null,
  frozenAt: null,
  perTxnCap: JSON.rawJSON('1e2'),
  dailyCap: JSON.rawJSON('250.50'),
  lifetimeCap: null,
})

const ownCard = ({ world, caller, id }: Call): IssuedCard | undefined =>
  world.cards.find((card) => same(card.id, id) && same(card.userId, caller.userId))

export const listCards = ({ world, caller }: Call): Reply =>
  ok({ cards: world.cards.filter(({ userId }) => same(userId, caller.userId)).map((card) => cardShown(card, null)) })

export function readCard(call: Call): Reply {
  const card = ownCard(call)
  return card === undefined ? refuse(404) : ok(cardShown(card, card.number))
}

/** Numbers of nineteen digits; any type is a type. */
export function issueCard({ world, caller, body }: Call): Reply {
  const number = `6${String(randomInt(10 ** 9)).padStart(9, '0')}${String(randomInt(10 ** 9)).padStart(9, '0')}`
  const userId = String(body.userId)
  const card = { id: randomUUID(), userId, number, cardType: Number(body.cardType), blocked: false, issuedAt: now() }
  const issued = { ...card, printedName: String(body.printedName) }
  world.cards.push(issued)
  world.happened('card', issued.printedName, caller)
  return ok(cardShown(issued, number))
}

export function blockCard({ world, caller, id }: Call): Reply {
  const card = world.cards.find((one) => same(one.id, id))
  if (card === undefined) return refuse(404, 'core::tessera::not_found')
  if (card.blocked) return refuse(409, 'core::tessera::request::invalid')
  card.blocked = true
  world.happened('block', card.id, caller)
  return noContent
}

const terminalShown = ({ id, merchantId, terminalUid, label, registeredAt, disabledAt }: Terminal) => ({
  id,
  merchantId,
  terminalUid,
  label,
  status: disabledAt === null ? 'ACTIVE' : 'DISABLED',
  registeredAt,
  updatedAt: disabledAt ?? registeredAt,
})

export const listTerminals = ({ world, query }: Call): Reply =>
  ok(world.terminals.filter(({ merchantId }) => merchantId === query.get('merchantId')).map(terminalShown))

export function readTerminal({ world, id }: Call): Reply {
  const terminal = world.terminals.find((one) => same(one.id, id))
  return terminal === undefined ? refuse(404, 'core::tessera::terminal::not_found') : ok(terminalShown(terminal))
}

export function registerTerminal({ world, caller, body }: Call): Reply {
  const terminalUid = String(body.terminalUid)
  if (world.terminals.some((one) => same(one.terminalUid, terminalUid))) {
    return refuse(409, 'core::tessera::terminal::already_registered')
  }
  const kept = world.variant.texts === 'kept' ? terminalUid : terminalUid.toUpperCase()
  const label = body.label === undefined ? null : String(body.label)
  const times = { registeredAt: now(), disabledAt: null }
  world.terminals.push({ id: randomUUID(), merchantId: String(body.merchantId), terminalUid: kept, label, ...times })
  world.happened('terminal', terminalUid, caller)
  return noContent
}

export function disableTerminal({ world, caller, id }: Call): Reply {
  const terminal = world.terminals.find((one) => same(one.id, id))
  if (terminal === undefined) return refuse(404, 'core::tessera::terminal::not_found')
  if (terminal.disabledAt !== null) return refuse(409)
  terminal.disabledAt = now()
  world.happened('disable', terminal.id, caller)
  return noContent
}
