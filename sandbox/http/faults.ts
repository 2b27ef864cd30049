import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { sendProblem } from './problem.ts'

const problemEffect = z.strictObject({
  status: z.int().min(400).max(599),
  code: z.string().optional(),
  title: z.string().optional(),
  retryAfter: z.int().min(0).optional(),
})

export const fault = z.strictObject({
  /** `CALL` is a method of the hub, for example `/hubs/disputes/JoinCase`. */
  method: z.enum(['GET', 'POST', 'PUT', 'DELETE', 'CALL']),
  /** A template of the interface, for example `/api/v1/Transaction/{referenceId}`, or a literal path. */
  path: z.string().startsWith('/'),
  times: z.int().min(1).max(1_000_000).default(1),
  /** Share of the matching requests, chosen at random; all without it. */
  share: z.number().gt(0).max(1).optional(),
  effect: z.union([
    problemEffect,
    z.strictObject({ delayMs: z.int().min(0).max(600_000) }),
    z.enum(['hold', 'drop-before', 'drop-after', 'accept-202', 'garble']),
  ]),
})

export type Fault = z.output<typeof fault>

declare module 'fastify' {
  interface FastifyRequest {
    fault: Fault | null
  }
}

const templateOf = (request: FastifyRequest): string => (request.routeOptions.url ?? '').replace(/:(\w+)/g, '{$1}')

export class Faults {
  #waiting: { readonly fault: Fault; left: number }[] = []
  readonly #held = new Set<() => void>()

  add(fault: Fault): void {
    this.#waiting.push({ fault: fault, left: fault.times })
  }

  clear(): void {
    this.#waiting = []
    for (const release of this.#held) release()
    this.#held.clear()
  }

  get heldRequests(): number {
    return this.#held.size
  }

  hold(): Promise<void> {
    return new Promise((release) => this.#held.add(release))
  }

  list(): readonly Fault[] {
    return this.#waiting.map(({ fault: waiting, left }) => ({ ...waiting, times: left }))
  }

  take(method: string, paths: readonly string[]): Fault | null {
    const found = this.#waiting.find(
      ({ fault: waiting }) =>
        waiting.method === method && paths.includes(waiting.path) && Math.random() < (waiting.share ?? 1),
    )
    if (found === undefined) return null
    found.left -= 1
    if (found.left === 0) this.#waiting = this.#waiting.filter((item) => item !== found)
    return found.fault
  }
}

/** Requests to `/sandbox` never meet a fault. */
export function meetFaults(app: FastifyInstance, faults: Faults): void {
  app.decorateRequest('fault', null)
  app.addHook('onRequest', async (request, reply) => {
    const path = request.url.split('?')[0] ?? ''
    if (path.startsWith('/sandbox')) return
    request.fault = faults.take(request.method, [templateOf(request), path])
    if (request.fault !== null) await before(request.fault, reply, faults)
  })
  app.addHook('onSend', async (request, reply, payload) => {
    if (request.fault?.effect === 'garble' && reply.statusCode < 300) return '{"data":{"referenceId":'
    if (request.fault?.effect === 'drop-after') {
      reply.hijack()
      reply.raw.destroy()
    }
    return payload
  })
}

async function before({ effect }: Fault, reply: FastifyReply, faults: Faults): Promise<void> {
  if (effect === 'hold') {
    await faults.hold()
  } else if (effect === 'drop-before') {
    reply.hijack()
    reply.raw.destroy()
  } else if (typeof effect === 'object' && 'delayMs' in effect) {
    await wait(effect.delayMs)
  } else if (typeof effect === 'object') {
    const { status, code, title, retryAfter } = effect
    sendProblem(reply, {
      status,
      code: code ?? `sandbox::fault::${status}`,
      title: title ?? 'The sandbox was set to answer like this.',
      ...(retryAfter === undefined ? {} : { retryAfter }),
    })
  }
}
