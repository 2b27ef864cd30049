import 'server-only'
import { isIPv6, SocketAddress } from 'node:net'

const MAPPED = '::ffff:'

/** The IPv4 address, or the network of 64 bits of an IPv6 address: one client has all of it. */
export function clientNetwork(address: string): string {
  if (!isIPv6(address)) return address
  const bare = new SocketAddress({ address, family: 'ipv6' }).address
  if (bare.startsWith(MAPPED) && bare.includes('.')) return bare.slice(MAPPED.length)
  const [front = [], back = []] = bare.split('::').map((part) => part.split(':').map((group) => group || '0'))
  const zeros = Array<string>(8 - front.length - back.length).fill('0')
  return [...front, ...zeros, ...back].slice(0, 4).join(':')
}
