import { z } from 'zod'
import { JsonNumber } from './json.ts'
import { isStorable } from './storable-text.ts'

/** interface.md, "Conventions on data" and "Limits". */
export const PAGE_SIZE_MAX = 100
export const PAGE_SIZE_DEFAULT = 20
export const MONEY_PLACES = 8

/*
 * Responses are open: they may carry fields that the interface does not give. Schemas of this folder use `z.object`, which
 * accepts such fields and drops them, so that only named fields get any further. Requests that the interface leaves open stay so.
 */

/** A UUID of any version, as the interface writes identifiers. */
export const uuid = z.guid()

/** A text that something is known by: it is kept and stands in addresses, where a NUL or half a character cannot. */
export const plainText = z.string().refine(isStorable, 'has a character that cannot be kept')

export const referenceText = plainText.min(1)

/** A decimal string of a response. The interface promises eight places; fewer are read as well. */
export const decimalText = z.string().regex(/^-?\d{1,30}(\.\d{1,8})?$/, 'not a decimal with at most eight places')

/** ISO 8601 UTC. The interface promises seven fractional digits; fewer are read as well. */
export const timestamp = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,7})?Z$/, 'not an ISO 8601 time in UTC')

/** A JSON number of a request that carries money; gives its literal text, for example `250.00`. */
export const moneyNumber = z
  .instanceof(JsonNumber, { error: 'must be a number' })
  .transform((number) => number.source)
  .meta({ type: 'number' })

/** A JSON number without a fraction that a JavaScript number holds exactly. */
export const integer = z
  .instanceof(JsonNumber, { error: 'must be a number' })
  .transform((number) => Number(number.source))
  .pipe(z.int())
  .meta({ type: 'integer' })

/** A field that may be null or left out, and reads as null then. */
export const orNull = <Schema extends z.ZodType>(schema: Schema) => schema.nullish().transform((value) => value ?? null)

export type Row<Value> = { readonly readable: true; readonly value: Value } | { readonly readable: false }

/** Rows of a list. One that does not fit its schema reads as unreadable, so that the others stand. */
export const rows = <Schema extends z.ZodType>(schema: Schema) =>
  z.array(
    z.union([
      schema.transform((value): Row<z.output<Schema>> => ({ readable: true, value })),
      z.unknown().transform((): Row<z.output<Schema>> => ({ readable: false })),
    ]),
  )

/** Query of a paged list as it arrives in the address: text. Which values are refused is the service's business. */
export const pageQuery = z.object({ page: z.string().optional(), pageSize: z.string().optional() })
