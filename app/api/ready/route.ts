import { isLeaving } from '#lib/config/per-process.ts'
import { storeIsReady } from '#lib/store/ready.ts'
import { json } from '../answer.ts'

/** For load balancers: ready if the store can be read and written and the process is not stopping. */
export async function GET(): Promise<Response> {
  if (isLeaving()) return json({ status: 'stopping', reason: 'The console is stopping.' }, 503)
  return (await storeIsReady())
    ? json({ status: 'ready' })
    : json({ status: 'not ready', reason: 'The store does not answer.' }, 503)
}
