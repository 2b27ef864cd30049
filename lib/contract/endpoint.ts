import type { z } from 'zod'
import type { Scope } from './scopes.ts'
import { isStorable } from './storable-text.ts'

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

/** A text with the escapes of dots and slashes taken off. `%252e` is a dot that was escaped twice. */
const unescaped = (text: string): string =>
  text
    .replace(/%(?:25)*2e/gi, '.')
    .replace(/%(?:25)*2f/gi, '/')
    .replace(/%(?:25)*5c/gi, '\\')

/** `.` and `..` are steps in a path, also between slashes and behind escapes: URL parsers take `%2e%2e` for `..`. */
const hasStep = (text: string): boolean => /(^|[/\\])\.{1,2}($|[/\\])/.test(unescaped(text))

/** Whether a text can be named in a path: as one segment, which nobody on the way reads as something else. */
export const isSegment = (text: string): boolean => text !== '' && isStorable(text) && !hasStep(text)

/** Fills a template; each value becomes exactly one path segment. Throws a TypeError for one that cannot be. */
export function fillPath(template: string, params: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = Object.hasOwn(params, name) ? params[name] : undefined
    if (value === undefined || !isSegment(value)) throw new TypeError(`path parameter ${name} is no segment of a path`)
    return encodeURIComponent(value)
  })
}

/** The address of a filled template below `base`; null when what came out is not exactly that path. */
export function addressOf(base: string, template: string, params: Readonly<Record<string, string>>): URL | null {
  if (Object.values(params).some((value) => !isSegment(value))) return null
  const path = fillPath(template, params)
  const root = new URL(base).pathname.replace(/\/$/, '')
  const url = new URL(base.replace(/\/$/, '') + path)
  return url.pathname === root + path ? url : null
}
