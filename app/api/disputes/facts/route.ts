import { transactionFacts } from '#lib/disputes/queue/transaction-facts.ts'
import { json, refuse, serveOwn } from '../../answer.ts'

/** As many as a page of a table has rows. */
const REFERENCES_MAX = 100

/** `?reference=…&reference=…`: amount and state of disputed transactions, by reference; what cannot be read is told. */
export function GET(request: Request): Promise<Response> {
  return serveOwn(request, async (session) => {
    const references = [...new Set(new URL(request.url).searchParams.getAll('reference'))]
    if (references.length > REFERENCES_MAX || references.includes('')) {
      return refuse(400, `It takes up to ${REFERENCES_MAX} references.`)
    }
    return json({ ok: true, facts: await transactionFacts(session, references) })
  })
}
