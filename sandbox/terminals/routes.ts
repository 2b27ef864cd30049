import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Selectable } from 'kysely'
import { z } from 'zod'
import { uuid } from '#lib/contract/endpoint.ts'
import { endpoints } from '#lib/contract/endpoints.ts'
import type { Caller } from '#sandbox/http/caller.ts'
import { Refusal } from '#sandbox/http/problem.ts'
import { type Answer, type Gate, ok, readBy, serve } from '#sandbox/http/serve.ts'
import { writeOrFail } from '#sandbox/http/write-or-fail.ts'
import type { Db, Tables } from '#sandbox/world/tables.ts'
import type { World } from '#sandbox/world/world.ts'

export function serveTerminals(app: FastifyInstance, gate: Gate): void {
  const { world } = gate
  const { terminals } = endpoints
  serve(app, gate, terminals.list, ({ query }, caller) => listTerminals(world, caller, query.merchantId))
  serve(app, gate, terminals.read, async ({ params }, caller) =>
    ok(terminalBody(await visibleTerminal(world.db, caller, params.terminalId))),
  )
  // The operation validates the body, to refuse with the code of terminals.
  serve(app, gate, { ...terminals.register, body: z.unknown() }, ({ body }, caller) =>
    registerTerminal(world, caller, body),
  )
  serve(app, gate, terminals.disable, ({ params }, caller) => disableTerminal(world, caller, params.terminalId))
}

/** Final. 409 if already DISABLED. */
const disableTerminal = async (world: World, caller: Caller, terminalId: string): Promise<Answer> =>
  await writeOrFail(world, terminalWriteFailure, async (trx) => {
    const { id } = await visibleTerminal(trx, caller, terminalId)
    const disabled = await trx
      .updateTable('terminal')
      .set({ status: 'DISABLED', updated_at: world.clock.now() })
      .where('id', '=', id)
      .where('status', '=', 'ACTIVE')
      .returningAll()
      .executeTakeFirstOrThrow(alreadyDisabled)
    return ok(terminalBody(disabled))
  })

async function listTerminals(world: World, caller: Caller, merchant: string | undefined): Promise<Answer> {
  const merchantId = merchant?.trim() ?? ''
  if (merchantId === '') throw terminalInvalid({ merchantId: ['is required'] })
  await requireVisibleMerchant(world.db, caller, merchantId)
  const terminals = await world.db
    .selectFrom('terminal')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .orderBy('registered_at')
    .orderBy('id')
    .execute()
  return ok({ terminals: terminals.map(terminalBody) })
}

const UID_MAX_CHARS = 64
const LABEL_MAX_CHARS = 100

/** Control characters cannot be printed on a reader, and lone surrogates cannot be stored. */
const PRINTABLE = /^[^\p{Cc}\p{Cs}]*$/u

const line = (maxChars: number) =>
  z
    .string()
    .trim()
    .max(maxChars, `has at most ${maxChars} characters`)
    .regex(PRINTABLE, 'must not have control characters')

const registration = z.strictObject({
  merchantId: z.string().trim().min(1, 'is required'),
  terminalUid: line(UID_MAX_CHARS).min(1, 'is required'),
  label: line(LABEL_MAX_CHARS).default(''),
})

/** A unique index on the exact UID decides; the second registration gets 409. */
async function registerTerminal(world: World, caller: Caller, body: unknown): Promise<Answer> {
  const { merchantId, terminalUid, label } = readRegistration(body)
  return await writeOrFail(world, terminalWriteFailure, async (trx) => {
    await requireVisibleMerchant(trx, caller, merchantId)
    const at = world.clock.now()
    const added = await trx
      .insertInto('terminal')
      .values({
        id: randomUUID(),
        merchant_id: merchantId,
        terminal_uid: terminalUid,
        label,
        status: 'ACTIVE',
        registered_at: at,
        updated_at: at,
      })
      .onConflict((conflict) => conflict.column('terminal_uid').doNothing())
      .returningAll()
      .executeTakeFirstOrThrow(alreadyRegistered)
    return ok(terminalBody(added))
  })
}

/** The interface has a separate code for invalid terminal requests. */
function readRegistration(body: unknown): z.output<typeof registration> {
  try {
    return readBy(registration, body)
  } catch (error) {
    throw error instanceof Refusal ? terminalInvalid(error.problem.errors ?? {}) : error
  }
}

/** PostgreSQL cannot compare text with NUL. */
const isStorable = (text: string): boolean => !text.includes('\0')

async function requireVisibleMerchant(db: Db, caller: Caller, merchantId: string): Promise<void> {
  if (!isStorable(merchantId)) throw terminalNotFound()
  const merchant = await db
    .selectFrom('merchant')
    .select('owner_user_id')
    .where('id', '=', merchantId)
    .executeTakeFirstOrThrow(terminalNotFound)
  if (caller.can.merchantAdmin !== true && merchant.owner_user_id !== caller.userId) throw terminalNotFound()
}

async function visibleTerminal(db: Db, caller: Caller, terminalId: string): Promise<Terminal> {
  if (!uuid.safeParse(terminalId).success) throw terminalNotFound()
  const terminal = await db
    .selectFrom('terminal')
    .selectAll()
    .where('id', '=', terminalId.toLowerCase())
    .executeTakeFirstOrThrow(terminalNotFound)
  await requireVisibleMerchant(db, caller, terminal.merchant_id)
  return terminal
}

/** The same for unknown and hidden terminals, so that the answer does not show which. */
const terminalNotFound = (): Refusal =>
  new Refusal(404, 'core::tessera::terminal::not_found', 'No such merchant or terminal.')

const alreadyDisabled = (): Refusal =>
  new Refusal(409, 'core::tessera::request::invalid', 'This terminal is disabled already.')

const alreadyRegistered = (): Refusal =>
  new Refusal(409, 'core::tessera::terminal::already_registered', 'A terminal with this UID is registered already.')

const terminalInvalid = (errors: Readonly<Record<string, readonly string[]>>): Refusal =>
  new Refusal(400, 'core::tessera::terminal::invalid', 'The request is not valid.', errors)

const terminalWriteFailure = {
  code: 'core::tessera::terminal::update::fail',
  title: 'The terminal could not be written. Nothing changed.',
} as const

type Terminal = Selectable<Tables['terminal']>

const terminalBody = (terminal: Terminal) => ({
  id: terminal.id,
  merchantId: terminal.merchant_id,
  terminalUid: terminal.terminal_uid,
  label: terminal.label,
  status: terminal.status,
  registeredAt: terminal.registered_at,
  updatedAt: terminal.updated_at,
})
