import { isLeaving } from '#lib/config/on-shutdown.ts'
import { storeIsReady } from '#lib/store/ready.ts'
import { json } from '../answer.ts'

/**
 * Whether a balancer should send people here: the store reads and writes, and the process is not stopping. Says no more
 * than that: anybody may ask.
 */
export async function GET(): Promise<Response> {
  if (isLeaving()) return json({ status: 'not ready', reason: 'The console is stopping.' }, 503)
  return (await storeIsReady())
    ? json({ status: 'ready' })
    : json({ status: 'not ready', reason: 'The store does not answer.' }, 503)
}
