import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Config } from '#lib/config/config.ts'
import { takenPort } from '../ports.ts'
import { ask, isFinding } from './ask.ts'
import { type Finding, found, good, note } from './faults.ts'

/** A running console is not a fault. */
export async function lookAtMachine({ baseUrl, port }: Config): Promise<readonly Finding[]> {
  const taken = (await takenPort([port])) !== null
  const here = taken && (await isConsole(`http://127.0.0.1:${port}`))
  const state = here ? note(`A console already runs on port ${port}.`) : good(`Port ${port} is free.`)
  const ofPort = taken && !here ? found('port', `PORT ${port}`) : state
  return [ofPort, await baseFinding(baseUrl, here)]
}

/** Delivers nothing and makes no file. */
export async function lookAtSink({ auditSink: sink }: Config): Promise<readonly Finding[]> {
  if (sink === null) return []
  const name = 'AUDIT_SINK'
  if (sink.kind === 'file') return [fileFinding(name, sink.path)]
  const headers = new Headers(sink.token === null ? {} : { authorization: `Bearer ${sink.token}` })
  const answer = await ask(name, sink.url.href, { method: 'POST', headers })
  if (isFinding(answer)) return [answer]
  return [answerFinding(name, answer.status)]
}

function answerFinding(name: string, status: number): Finding {
  if (status === 401 || status === 403) return found('sink-refuses', name, `it says ${status}`)
  if ((status >= 300 && status < 400) || status === 404 || status === 405)
    return found('sink-path', name, `it says ${status}`)
  return status < 500 ? good(`${name} answers.`) : note(`${name} says ${status} to an empty delivery.`)
}

/** `LogsDirectory` of deploy/systemd. */
const UNIT_FOLDER = '/var/log/console'

function fileFinding(name: string, path: string): Finding {
  const folder = dirname(path)
  if (folder === UNIT_FOLDER && !existsSync(folder)) return note(`The systemd unit makes ${folder} at its first start.`)
  if (!canWrite(path)) return found('sink-file', name, path)
  if (folder === UNIT_FOLDER) return good(`${name} can be written.`)
  return note(`${name} can be written; the systemd unit needs ReadWritePaths=${folder} for it.`)
}

function canWrite(path: string): boolean {
  try {
    const there = statSync(path, { throwIfNoEntry: false })
    accessSync(there === undefined ? dirname(path) : path, constants.W_OK)
    return there?.isFile() !== false
  } catch {
    return false
  }
}

const HEALTH = '/api/health'
/** A page that requires sign-in. */
const A_PAGE = '/activity'

async function isConsole(address: string): Promise<boolean> {
  const answer = await ask('PORT', `${address}${HEALTH}`)
  return !isFinding(answer) && isHealth(answer.text)
}

const isHealth = (text: string): boolean => /^\{"status":"ok"/.test(text)

/** Before the console starts, a proxy answers 502, 503 or 504. */
async function baseFinding(baseUrl: string, running: boolean): Promise<Finding> {
  const name = 'NEXTAUTH_URL'
  const answer = await ask(name, `${baseUrl}${HEALTH}`)
  if (isFinding(answer)) {
    const idle = !running && answer.fault === 'refused'
    return idle ? note(`${name} does not answer yet: no console and no proxy is running.`) : answer
  }
  if (isHealth(answer.text)) return await nameFinding(name, baseUrl)
  if (!running && answer.status >= 502 && answer.status <= 504)
    return note(`${name} leads to a proxy without a running console.`)
  return found('other-console', name, `it says ${answer.status}`)
}

/** The console redirects to its NEXTAUTH_URL, whatever the Host: a sign-in elsewhere would set its cookies there. */
async function nameFinding(name: string, baseUrl: string): Promise<Finding> {
  const answer = await ask(name, `${baseUrl}${A_PAGE}`)
  if (isFinding(answer)) return answer
  const to = URL.parse(answer.headers.get('location') ?? '', baseUrl)
  if (to === null || to.pathname !== '/sign-in') return found('other-console', name, `its pages say ${answer.status}`)
  return to.origin === baseUrl ? good(`${name} leads to a console of this name.`) : found('other-name', name, to.origin)
}
