import { z } from 'zod'
import type { Caller } from '#sandbox/http/caller.ts'
import { Refusal } from '#sandbox/http/problem.ts'
import { type Answer, ok, readBy } from '#sandbox/http/serve.ts'
import { writeOrFail } from '#sandbox/http/write-or-fail.ts'
import { newUuid } from '#sandbox/world/random.ts'
import type { World } from '#sandbox/world/world.ts'
import { terminalInvalid, terminalWriteFailure } from './refusals.ts'
import { requireVisibleMerchant } from './visible.ts'
import { terminalBody } from './wire.ts'

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
export async function registerTerminal(world: World, caller: Caller, body: unknown): Promise<Answer> {
  const { merchantId, terminalUid, label } = readRegistration(body)
  const terminal = await writeOrFail(world, terminalWriteFailure, async (trx) => {
    await requireVisibleMerchant(trx, caller, merchantId)
    const at = world.clock.now()
    const added = await trx
      .insertInto('terminal')
      .values({
        id: newUuid(world.random),
        merchant_id: merchantId,
        terminal_uid: terminalUid,
        label,
        status: 'ACTIVE',
        registered_at: at,
        updated_at: at,
      })
      .onConflict((conflict) => conflict.column('terminal_uid').doNothing())
      .returningAll()
      .executeTakeFirst()
    if (added === undefined) {
      throw new Refusal(
        409,
        'core::tessera::terminal::already_registered',
        'A terminal with this UID is registered already.',
      )
    }
    return added
  })
  return ok(terminalBody(terminal))
}

/** The interface has a separate code for invalid terminal requests. */
function readRegistration(body: unknown): z.output<typeof registration> {
  try {
    return readBy(registration, body)
  } catch (error) {
    throw error instanceof Refusal ? terminalInvalid(error.problem.errors ?? {}) : error
  }
}
