import type { Config } from '#lib/config/parse.ts'
import { takenPort } from '../ports.ts'
import { ask, isFinding } from './ask.ts'
import { type Finding, found, good, told } from './faults.ts'

/** The port, and whether the address that people open leads here. A console that runs already is no fault. */
export async function lookAtMachine({ baseUrl, port }: Config): Promise<readonly Finding[]> {
  const taken = (await takenPort([port])) !== null
  const here = taken && (await isConsole(`http://127.0.0.1:${port}`))
  const state = here ? told(`A console runs on port ${port} already.`) : good(`Port ${port} is free.`)
  const ofPort = taken && !here ? found('port', `PORT ${port}`) : state
  return [ofPort, await baseFinding(baseUrl, here)]
}

const HEALTH = '/api/health'

async function isConsole(address: string): Promise<boolean> {
  const answer = await ask('PORT', `${address}${HEALTH}`)
  return !isFinding(answer) && isHealth(answer.text)
}

const isHealth = (text: string): boolean => /^\{"status":"ok"/.test(text)

/** A proxy whose consoles do not run yet says 502 or the like: that it answers at all is what can be known then. */
async function baseFinding(baseUrl: string, running: boolean): Promise<Finding> {
  const name = 'NEXTAUTH_URL'
  const answer = await ask(name, `${baseUrl}${HEALTH}`)
  if (isFinding(answer)) {
    const idle = !running && answer.fault === 'refused'
    return idle ? told(`${name} does not answer yet: no console runs, and no proxy is before it.`) : answer
  }
  if (isHealth(answer.text)) return good(`${name} leads to a console.`)
  if (!running && answer.status >= 502 && answer.status <= 504)
    return told(`${name} leads to a proxy, and no console runs behind it.`)
  return found('other-console', name, `it says ${answer.status}`)
}
