import { setTimeout as wait } from 'node:timers/promises'
import pLimit from 'p-limit'
import { CLIENTS, type Client } from './client.ts'
import type { Operator } from './operator.ts'

const AMOUNT = '12.50'
const COLUMNS = ['Reference', 'Amount', 'Bank'] as const
const MAPPING = {
  headings: true,
  reference: 0,
  amount: 1,
  bankReference: 2,
  bookedOn: null,
  currency: null,
  text: null,
  decimalMark: 'point',
}
const LOOK_EVERY_MS = 50

/** A bank's table about so many deposits, which a holder has announced. */
export async function newStatement(client: Client, holder: string, lines: number): Promise<string> {
  const body = { amount: Number(AMOUNT), note: 'Bench' }
  const announce = () => client.ask({ method: 'POST', path: '/api/v1/Transaction/deposit', token: holder, body })
  const announced = await pLimit(CLIENTS).map(Array(lines).keys(), announce)
  return [COLUMNS.join(','), ...announced.map(({ referenceId }, at) => `${referenceId},${AMOUNT},BENCH-${at}`)].join(
    '\n',
  )
}

/** Imports a table and waits until its last line was looked up; answers the statement's id. */
export async function importFile(operator: Operator, csv: string): Promise<string> {
  const { seal } = (await hand(operator, csv, null)).preview ?? {}
  const { id } = await hand(operator, csv, seal ?? null)
  if (id === undefined) throw new Error('the table was not imported')
  await untilIdle(operator, id)
  return id
}

async function hand(operator: Operator, csv: string, seal: string | null) {
  const form = new FormData()
  form.set('file', new File([csv], 'bench.csv', { type: 'text/csv' }))
  form.set('mapping', JSON.stringify(MAPPING))
  if (seal !== null) form.set('seal', seal)
  const sent = new Response(form)
  const type = sent.headers.get('content-type') ?? ''
  const body = Buffer.from(await sent.arrayBuffer())
  const answer = JSON.parse(await operator.ask('/api/deposits/statements', { method: 'POST', type, body })) as {
    readonly imported: { readonly id?: string; readonly preview?: { readonly seal: string } }
  }
  return answer.imported
}

/** Confirms every line that is ready, and waits for the last. */
export async function confirmAll(operator: Operator, id: string): Promise<void> {
  const page = await operator.ask(`/deposits/statements/${id}`)
  const [, seal] = /\\"seal\\":\\"([\da-f]{32})/.exec(page) ?? []
  if (seal === undefined) throw new Error('the statement’s page has no seal')
  const body = JSON.stringify({ work: 'confirm', seal })
  await operator.ask(`/api/deposits/statements/${id}/work`, { method: 'POST', type: 'application/json', body })
  await untilIdle(operator, id)
}

interface Work {
  readonly work: string | null
  readonly ended: string
}

async function untilIdle(operator: Operator, id: string): Promise<void> {
  for (;;) {
    const body = JSON.stringify({ topics: [`statement ${id}`] })
    const { events } = JSON.parse(
      await operator.ask('/api/stream/poll', { method: 'POST', type: 'application/json', body }),
    ) as {
      readonly events: readonly { readonly result?: { readonly value: { readonly work: Work } } }[]
    }
    const work = events.find(({ result }) => result !== undefined)?.result?.value.work
    if (work === undefined) throw new Error('no event of the statement')
    if (work.work === null && work.ended !== '') throw new Error(work.ended)
    if (work.work === null) return
    await wait(LOOK_EVERY_MS)
  }
}
