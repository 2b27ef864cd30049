import { json } from '../answer.ts'

/** Whether the process answers at all. */
export const GET = (): Response => json({ status: 'ok' })
