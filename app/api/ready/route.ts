import { storeIsReady } from '#lib/store/ready.ts'
import { json } from '../answer.ts'

/** Whether the console can serve people: its store reads and writes. Says no more than that: anybody may ask. */
export async function GET(): Promise<Response> {
  return (await storeIsReady())
    ? json({ status: 'ready' })
    : json({ status: 'not ready', reason: 'The store does not answer.' }, 503)
}
