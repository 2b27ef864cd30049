import 'server-only'
import { isIP } from 'node:net'
import { headers } from 'next/headers'
import { config } from '#lib/config/config.ts'

/** Reads only the last hop of X-Forwarded-For: the console's proxy writes it, and a client can forge the others. */
export async function clientAddress(): Promise<string | null> {
  if (!config().behindProxy) return null
  return addressIn((await headers()).get('x-forwarded-for')?.split(',').at(-1) ?? '')
}

/** Null for anything but an IP address, bare, in brackets or with a port. */
export function addressIn(written: string): string | null {
  const bare = written
    .trim()
    .replace(/^\[([^\]]*)\](:\d+)?$/, '$1')
    .replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1')
  return isIP(bare) === 0 ? null : bare
}
