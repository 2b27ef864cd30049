import 'server-only'
import { isIP } from 'node:net'
import { headers } from 'next/headers'
import { config } from '#lib/config/config.ts'

/** Where this request comes from. The last hop is the one that our own proxy wrote; without one, anybody could name any. */
export async function clientAddress(): Promise<string | null> {
  if (!config().behindProxy) return null
  return addressIn((await headers()).get('x-forwarded-for')?.split(',').at(-1) ?? '')
}

/** An IP address as proxies write it: bare, in brackets, with a port. Null for anything else. */
export function addressIn(written: string): string | null {
  const bare = written
    .trim()
    .replace(/^\[([^\]]*)\](:\d+)?$/, '$1')
    .replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1')
  return isIP(bare) === 0 ? null : bare
}
