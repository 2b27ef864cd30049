import { z } from 'zod'
import { isSegment, isStorable, JsonNumber } from './json.ts'
import type { Scope } from './scopes.ts'

/** interface.md, "Conventions on data" and "Limits". */
export const PAGE_SIZE_MAX = 100
export const PAGE_SIZE_DEFAULT = 20
export const MONEY_PLACES = 8

/* `z.object` drops the service's unspecified fields. */

export const uuid = z.guid()

export const plainText = z.string().refine(isStorable, 'has a character that cannot be kept')

export const referenceText = plainText.min(1)

/** The interface promises eight places. */
export const decimalText = z.string().regex(/^-?\d{1,30}(\.\d{1,8})?$/, 'not a decimal with at most eight places')

function isMoment(text: string): boolean {
  const ms = Date.parse(text)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text.slice(0, 'yyyy-mm-ddThh:mm:ss'.length))
}

/** The interface promises seven fractional digits. */
export const timestamp = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,7})?Z$/, 'not an ISO 8601 time in UTC')
  .refine(isMoment, 'not a time that exists')

/** Returns the literal, such as `250.00`. */
export const moneyNumber = z
  .instanceof(JsonNumber, { error: 'must be a number' })
  .transform((number) => number.source)
  .meta({ type: 'number' })

export const integer = z
  .instanceof(JsonNumber, { error: 'must be a number' })
  .transform((number) => Number(number.source))
  .pipe(z.int())
  .meta({ type: 'integer' })

export const orNull = <Schema extends z.ZodType>(schema: Schema) => schema.nullish().transform((value) => value ?? null)

/** A service may omit an "empty when not applicable" field. */
export const textOrEmpty = z
  .string()
  .nullish()
  .transform((text) => text ?? '')

export type Row<Value> =
  | { readonly readable: true; readonly value: Value }
  /** `place` is known where the table is not a page of the list. */
  | { readonly readable: false; readonly place?: number }

/** An unreadable row must not hide the others. */
export const rows = <Schema extends z.ZodType>(schema: Schema) =>
  z.array(
    z.union([
      schema.transform((value): Row<z.output<Schema>> => ({ readable: true, value })),
      z.unknown().transform((): Row<z.output<Schema>> => ({ readable: false })),
    ]),
  )

export const pageQuery = z.object({ page: z.string().optional(), pageSize: z.string().optional() })

/** `meta`: of lists in pages without a shape of their own. */
export const envelope = <Data extends z.ZodType>(data: Data) =>
  z.object({ data, meta: z.object({ total: integer }).optional().catch(undefined) })

/** interface.md, "Step-up verification". */
export type StepUp = 'never' | 'always' | 'when-loosening'

interface EndpointRow<Path, Query, Body, Data> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: Path
  /** Takes no access token. */
  readonly open?: true
  readonly scope: Scope | null
  /** Default: never. */
  readonly stepUp?: StepUp
  readonly query?: Query
  readonly body?: Body
  readonly data: Data
}

export interface Endpoint<
  Path extends string = string,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Data extends z.ZodType = z.ZodType,
> extends EndpointRow<Path, Query, Body, Data> {
  readonly stepUp: StepUp
}

/** `/a/{x}/b/{y}` needs `{ x: string, y: string }`. */
export type PathParams<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [Key in Name]: string } & PathParams<Rest>
  : unknown

export function endpoint<
  const Path extends string,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Data extends z.ZodType,
>(row: EndpointRow<Path, Query, Body, Data>): Endpoint<Path, Query, Body, Data> {
  return { stepUp: 'never', ...row }
}

/** Throws TypeError for an unsafe segment. */
export const fillPath = (template: string, params: Readonly<Record<string, string>>): string =>
  template.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = Object.hasOwn(params, name) ? params[name] : undefined
    if (value === undefined || !isSegment(value)) throw new TypeError(`path parameter ${name} is no segment of a path`)
    return encodeURIComponent(value)
  })

/** Null for an unsafe segment, or if the URL parser changed the path. */
export function addressOf(base: string, template: string, params: Readonly<Record<string, string>>): URL | null {
  if (Object.values(params).some((value) => !isSegment(value))) return null
  const path = fillPath(template, params)
  const root = new URL(base).pathname.replace(/\/$/, '')
  const url = new URL(base.replace(/\/$/, '') + path)
  return url.pathname === root + path ? url : null
}
