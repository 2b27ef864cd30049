import { createHmac, timingSafeEqual } from 'node:crypto'
import { Refusal } from '#sandbox/http/problem.ts'

/** How far the time of a signature may be from the machine's clock, either way. */
const TOLERANCE_SECONDS = 5 * 60

/** `t=<seconds since 1970>,v1=<HMAC-SHA256 in hexadecimal>`. */
const SIGNATURE = /^t=(\d{1,12}),v1=([0-9a-fA-F]{64})$/

/**
 * Refuses a delivery with 401 unless its signature was made with the shared secret, over the time it names and exactly
 * this body, and at most five minutes ago or ahead. Why it is refused is not told.
 */
export function requireSignature(
  header: string | readonly string[] | undefined,
  body: Buffer,
  secret: string,
  milliseconds: number,
): void {
  const [, time, mac] = SIGNATURE.exec(typeof header === 'string' ? header : '') ?? []
  if (time === undefined || mac === undefined) throw signatureInvalid()
  const expected = createHmac('sha256', secret).update(`${time}.`).update(body).digest()
  if (!timingSafeEqual(Buffer.from(mac, 'hex'), expected)) throw signatureInvalid()
  if (Math.abs(milliseconds / 1000 - Number(time)) > TOLERANCE_SECONDS) throw signatureInvalid()
}

const signatureInvalid = (): Refusal =>
  new Refusal(401, 'sandbox::webhook::signature', 'The signature is missing, wrong or too old.')
