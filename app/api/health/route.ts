import { json } from '../answer.ts'

export const GET = (): Response => json({ status: 'ok' })
