import type { Config } from '#lib/config/config.ts'
import { ask, askForWebSocket, isFinding } from './ask.ts'
import { type Finding, found, good, note } from './faults.ts'

const CLOCK_MAX_SECONDS = 30
const CLOCK_TOLD_SECONDS = 5
const WANTS_TOKEN = new Set([401, 403])

/** Tokens and holds depend on time, so more than 30 s is a fault. */
export function clockFinding(name: string, aheadSeconds: number | null): Finding | null {
  if (aheadSeconds === null || Math.abs(aheadSeconds) < CLOCK_TOLD_SECONDS) return null
  const detail = `it is ${Math.abs(aheadSeconds)} s ${aheadSeconds > 0 ? 'ahead' : 'behind'}`
  return found('clock', name, detail, Math.abs(aheadSeconds) > CLOCK_MAX_SECONDS ? 'wrong' : 'note')
}

/** Without a token, so the expected answer is a refusal. */
export async function lookAtService({ coreApiUrl, coreWsUrl }: Config): Promise<readonly Finding[]> {
  const [service, hub] = await Promise.all([lookAtRest(coreApiUrl), lookAtHub(coreWsUrl)])
  return [...service, hub]
}

async function lookAtRest(coreApiUrl: string): Promise<readonly Finding[]> {
  const name = 'CORE_API_URL'
  const answer = await ask(name, `${coreApiUrl}/api/v1/cards`)
  if (isFinding(answer)) return [answer]
  const clock = clockFinding(name, answer.aheadSeconds)
  const state = WANTS_TOKEN.has(answer.status)
    ? good(`${name} is the service: it asks for a token.`)
    : found('not-the-service', name, `without a token it says ${answer.status} and not 401`)
  return clock === null ? [state] : [state, clock]
}

async function lookAtHub(coreWsUrl: string): Promise<Finding> {
  const name = 'CORE_WS_URL'
  const answer = await askForWebSocket(new URL(`${coreWsUrl}/hubs/disputes`))
  if (typeof answer === 'string') return found(answer, name, new URL(coreWsUrl).host)
  if (answer === 101) return note(`${name} accepts WebSockets, and asks for a token later.`)
  return WANTS_TOKEN.has(answer)
    ? good(`${name} has the hub: it asks for a token.`)
    : found('no-hub', name, `it says ${answer}`)
}
