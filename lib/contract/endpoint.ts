import type { z } from 'zod'
import type { Scope } from './scopes.ts'

/** When an endpoint asks for a step-up grant (interface.md, "Step-up verification"). */
export type StepUp = 'never' | 'always' | 'when-loosening'

export interface Endpoint<
  Path extends string = string,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Data extends z.ZodType = z.ZodType,
> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Template as the interface writes it, for example `/api/v1/Transaction/{referenceId}`. */
  readonly path: Path
  /** False for the few endpoints that answer without a token. */
  readonly bearer: boolean
  /** The scope that the interface names; null where it names none. */
  readonly scope: Scope | null
  readonly stepUp: StepUp
  readonly query?: Query
  readonly body?: Body
  /** What stands under `data` of a success. */
  readonly data: Data
}

/** `/a/{x}/b/{y}` needs `{ x: string, y: string }`. */
export type PathParams<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [Key in Name]: string } & PathParams<Rest>
  : unknown

/** Keeps the literal types of one row of the endpoint table. */
export function endpoint<
  const Path extends string,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Data extends z.ZodType,
>(row: Endpoint<Path, Query, Body, Data>): Endpoint<Path, Query, Body, Data> {
  return row
}

/** Fills a template; each value becomes exactly one path segment, whatever characters it has. */
export function fillPath(template: string, params: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = params[name]
    if (value === undefined || value === '') throw new TypeError(`path parameter ${name} is missing`)
    // encodeURIComponent leaves dots alone, and "." and ".." would be taken as steps in the path.
    return value === '.' || value === '..' ? value.replaceAll('.', '%2E') : encodeURIComponent(value)
  })
}
