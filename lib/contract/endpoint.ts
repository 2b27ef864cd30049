import type { z } from 'zod'
import { isStorable } from './json.ts'
import type { Scope } from './scopes.ts'

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

/** `%252e` is a dot that was escaped twice. */
const unescaped = (text: string): string =>
  text
    .replace(/%(?:25)*2e/gi, '.')
    .replace(/%(?:25)*2f/gi, '/')
    .replace(/%(?:25)*5c/gi, '\\')

/** URL parsers read `%2e%2e` as `..`. */
const hasStep = (text: string): boolean => /(^|[/\\])\.{1,2}($|[/\\])/.test(unescaped(text))

export const isSegment = (text: string): boolean => text !== '' && isStorable(text) && !hasStep(text)

/** Throws TypeError for an unsafe segment. */
export function fillPath(template: string, params: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = Object.hasOwn(params, name) ? params[name] : undefined
    if (value === undefined || !isSegment(value)) throw new TypeError(`path parameter ${name} is no segment of a path`)
    return encodeURIComponent(value)
  })
}

/** Null for an unsafe segment, or if the URL parser changed the path. */
export function addressOf(base: string, template: string, params: Readonly<Record<string, string>>): URL | null {
  if (Object.values(params).some((value) => !isSegment(value))) return null
  const path = fillPath(template, params)
  const root = new URL(base).pathname.replace(/\/$/, '')
  const url = new URL(base.replace(/\/$/, '') + path)
  return url.pathname === root + path ? url : null
}
