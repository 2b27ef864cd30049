import 'server-only'
import type { z } from 'zod'
import { hubEvents } from '#lib/contract/disputes.ts'

export type HubEventName = keyof typeof hubEvents

/** Null if it does not fit the contract. The interface does not specify the case of names, so `Id` reads as `id`. */
export function readHubPayload<Name extends HubEventName>(
  name: Name,
  payload: unknown,
): z.output<(typeof hubEvents)[Name]> | null {
  const parsed = hubEvents[name].safeParse(withSmallInitials(payload))
  return parsed.success ? (parsed.data as z.output<(typeof hubEvents)[Name]>) : null
}

const small = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1)

function withSmallInitials(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, field]) => [small(name), field, name] as const)
      .filter(([meant, , name]) => meant === name || !Object.hasOwn(value, meant)),
  )
}
