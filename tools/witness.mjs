// @ts-check
import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, realpathSync, renameSync, writeSync } from 'node:fs'
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/** `docs/operations.md`, “The witness”. `--once`: one round; `--accept`: takes the log as it is now. */

/** @typedef {{ name: string, id: Buffer, key: import('node:crypto').KeyObject }} PublicKey */
/** @typedef {{ origin: string, size: number, root: Buffer, text: string }} Checkpoint */
/** @typedef {{ size: number, root: string, note: string }} State */
/**
 * @typedef {{ url: string, token: string, logKey: PublicKey, name: string, key: import('node:crypto').KeyObject, file: string,
 *   alarmUrl: string | null, everySeconds: number, silentSeconds: number }} Settings
 */

const LOG_KEY_TYPE = 1
const COSIGNATURE_TYPE = 4
const ANSWER_MAX_BYTES = 65_536
const WITHIN_MS = 10_000
const REPEAT_MS = 3_600_000

/** A finding about the log. Any other error means that it could not be read. */
export class Alarm extends Error {
  /** @param {'forked' | 'shrunken' | 'unsigned' | 'silent'} event @param {string} message */
  constructor(event, message) {
    super(message)
    this.event = event
  }
}

/** @param {...(string | Uint8Array)} parts */
const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest()

/** @param {Uint8Array} left @param {Uint8Array} right */
const nodeHash = (left, right) => sha256(Buffer.of(1), left, right)

/** @param {string} name @param {Uint8Array} typed */
const keyId = (name, typed) => sha256(`${name}\n`, typed).subarray(0, 4)

/** C2SP signed-note: NAME+ID+KEY. */
/** @param {string} text @param {number} type @returns {PublicKey} */
export function readPublicKey(text, type) {
  const [, name = '', id = '', base64 = ''] = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+=*)$/.exec(text) ?? []
  const typed = Buffer.from(base64, 'base64')
  if (typed.length !== 33 || typed[0] !== type || keyId(name, typed).toString('hex') !== id)
    throw new Error('not a public key')
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), typed.subarray(1)])
  return { name, id: keyId(name, typed), key: createPublicKey({ key: der, format: 'der', type: 'spki' }) }
}

/** Throws an {@link Alarm} unless the log signed it. */
/** @param {string} note @param {PublicKey} log @returns {Checkpoint} */
export function openCheckpoint(note, log) {
  const end = note.indexOf('\n\n')
  const [text, signatures] = [note.slice(0, end + 1), note.slice(end + 2).split('\n')]
  const [origin = '', size = '', root = '', ...more] = text.split('\n')
  const read = { origin, size: Number(size), root: Buffer.from(root, 'base64'), text }
  const isWritten = /^(0|[1-9]\d{0,15})$/.test(size) && Number.isSafeInteger(read.size) && more.join() === ''
  if (end < 0 || !isWritten || read.root.length !== 32 || read.root.toString('base64') !== root)
    throw new Alarm('unsigned', 'The answer is not a checkpoint.')
  const prefix = `— ${log.name} `
  const isSigned = signatures
    .filter((line) => origin === log.name && line.startsWith(prefix))
    .map((line) => Buffer.from(line.slice(prefix.length), 'base64'))
    .some((one) => one.subarray(0, 4).equals(log.id) && verify(null, Buffer.from(text), log.key, one.subarray(4)))
  if (!isSigned) throw new Alarm('unsigned', `The checkpoint is not signed with the key of ${log.name}.`)
  return read
}

/** RFC 9162, section 2.1.4.2. */
/** @param {{ size: number, root: Uint8Array }} before @param {{ size: number, root: Uint8Array }} now @param {Uint8Array[]} proof */
export function isGrownFrom(before, now, proof) {
  if (before.size === 0) return proof.length === 0
  if (before.size === now.size) return proof.length === 0 && Buffer.compare(before.root, now.root) === 0
  if (before.size > now.size) return false
  const half = (/** @type {number} */ number) => Math.floor(number / 2)
  const isSubtree = Number.isInteger(Math.log2(before.size))
  const [first, ...rest] = isSubtree ? [before.root, ...proof] : proof
  if (first === undefined) return false
  let [left, right] = [before.size - 1, now.size - 1]
  while (left % 2 === 1) [left, right] = [half(left), half(right)]
  let [old, grown] = [first, first]
  for (const hash of rest) {
    if (right === 0) return false
    if (left % 2 === 1 || left === right) {
      ;[old, grown] = [nodeHash(hash, old), nodeHash(hash, grown)]
      while (left % 2 === 0 && left !== 0) [left, right] = [half(left), half(right)]
    } else grown = nodeHash(grown, hash)
    ;[left, right] = [half(left), half(right)]
  }
  return right === 0 && Buffer.compare(old, before.root) === 0 && Buffer.compare(grown, now.root) === 0
}

/** @param {import('node:crypto').KeyObject} key */
const typedPublic = (key) =>
  Buffer.concat([
    Buffer.of(COSIGNATURE_TYPE),
    createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32),
  ])

/** WITNESS_PUBLIC_KEY of the console. */
/** @param {string} name @param {import('node:crypto').KeyObject} key */
export const publicKeyOf = (name, key) =>
  `${name}+${keyId(name, typedPublic(key)).toString('hex')}+${typedPublic(key).toString('base64')}`

/** C2SP tlog-cosignature. */
/** @param {Checkpoint} checkpoint @param {Pick<Settings, 'name' | 'key'>} by @param {number} seconds */
export function cosignature({ text }, { name, key }, seconds) {
  const time = Buffer.alloc(8)
  time.writeBigUInt64BE(BigInt(seconds))
  const signature = sign(null, Buffer.from(`cosignature/v1\ntime ${seconds}\n${text}`), key)
  return `— ${name} ${Buffer.concat([keyId(name, typedPublic(key)), time, signature]).toString('base64')}\n`
}

/** @param {string} file @returns {State | null} */
const readState = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null)

/** On the disk before the cosignature leaves. */
/** @param {string} file @param {State} state */
function writeState(file, state) {
  const open = openSync(`${file}.new`, 'w', 0o600)
  writeSync(open, `${JSON.stringify(state)}\n`)
  fsyncSync(open)
  closeSync(open)
  renameSync(`${file}.new`, file)
}

/** @param {Settings} settings @param {string} query @param {string | null} body */
async function ask({ url, token }, query, body = null) {
  const answer = await fetch(`${url}/api/log/checkpoint${query}`, {
    method: body === null ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, ...(body === null ? {} : { 'content-type': 'text/plain' }) },
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(WITHIN_MS),
  })
  const parts = []
  let size = 0
  for await (const part of answer.body ?? []) {
    parts.push(part)
    size += part.length
    if (size > ANSWER_MAX_BYTES) throw new Alarm('unsigned', 'The answer is larger than any checkpoint.')
  }
  const text = Buffer.concat(parts).toString('utf8')
  if (!answer.ok) throw new Error(`the console answered ${answer.status}`)
  return text
}

/** The answer is a C2SP tlog-witness request. */
/** @param {Settings} settings @param {State | null} before */
async function readLog(settings, before) {
  const from = before?.size ?? 0
  const answer = await ask(settings, `?from=${from}`)
  const end = answer.indexOf('\n\n')
  const [old, ...proof] = answer.slice(0, Math.max(0, end)).split('\n')
  const checkpoint = openCheckpoint(answer.slice(end + 2), settings.logKey)
  if (checkpoint.size < from)
    throw new Alarm('shrunken', `The log has ${checkpoint.size} entries; ${from} were confirmed.`)
  const known = { size: from, root: Buffer.from(before?.root ?? '', 'base64') }
  const hashes = proof.map((line) => Buffer.from(line, 'base64'))
  if (old !== `old ${from}` || !isGrownFrom(known, checkpoint, hashes))
    throw new Alarm(
      'forked',
      `The log of ${checkpoint.size} entries did not grow from the ${from} that were confirmed.`,
    )
  return { checkpoint, note: answer.slice(end + 2) }
}

/** Gives the console its earlier confirmation if the log did not grow from it. */
/** @param {Settings} settings @returns {Promise<State>} */
export async function witness(settings) {
  const before = readState(settings.file)
  try {
    const { checkpoint, note } = await readLog(settings, before)
    const seconds = Math.floor(Date.now() / 1000)
    const state = {
      size: checkpoint.size,
      root: checkpoint.root.toString('base64'),
      note: note + cosignature(checkpoint, settings, seconds),
    }
    writeState(settings.file, state)
    await ask(settings, '', state.note)
    return state
  } catch (error) {
    const isOther = error instanceof Alarm && (error.event === 'shrunken' || error.event === 'forked')
    if (isOther && before !== null) await ask(settings, '', before.note).catch(() => {})
    throw error
  }
}

/** Keeps the earlier state beside. */
/** @param {Settings} settings */
export function forgetState({ file }) {
  const before = readState(file)
  if (before !== null) renameSync(file, `${file}.${before.size}`)
}

/** @param {Record<string, string | undefined>} environment @returns {Settings} */
export function settingsOf(environment) {
  /** @template Value @param {string} name @param {(text: string) => Value} read @returns {Value} */
  const required = (name, read) => {
    try {
      return read(environment[name] || '')
    } catch (cause) {
      throw new Error(`${name} is missing or wrong: see docs/operations.md, “The witness”`, { cause })
    }
  }
  /** @param {string} text */
  const address = (text) => {
    const { protocol, hostname: host } = new URL(text)
    if (protocol !== 'https:' && !['localhost', '127.0.0.1', '[::1]'].includes(host)) throw new Error('not https')
    return text.replace(/\/+$/, '')
  }
  /** @param {string} text */
  const secret = (text) => {
    const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.from(text, 'base64')])
    return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  }
  /** @param {string} text */
  const word = (text) => {
    if (!/^[^\s+]+$/.test(text)) throw new Error('not a word')
    return text
  }
  /** @param {string} name @param {number} otherwise */
  const seconds = (name, otherwise) =>
    required(name, () => {
      const number = Number(environment[name] || otherwise)
      if (!Number.isInteger(number) || number < 1 || number > 86_400) throw new Error('not seconds')
      return number
    })
  return {
    url: required('WITNESS_CONSOLE', address),
    token: required('WITNESS_TOKEN', word),
    logKey: required('WITNESS_LOG_KEY', (text) => readPublicKey(text, LOG_KEY_TYPE)),
    key: required('WITNESS_KEY', secret),
    name: word(environment.WITNESS_NAME || hostname()),
    file: environment.WITNESS_STATE || 'witness-state',
    alarmUrl: environment.WITNESS_ALARM_URL ? required('WITNESS_ALARM_URL', address) : null,
    everySeconds: seconds('WITNESS_EVERY_SECONDS', 20),
    silentSeconds: seconds('WITNESS_SILENT_SECONDS', 300),
  }
}

/** False if the alarm was not received. */
/** @param {Settings} settings @param {Readonly<Record<string, unknown>>} line */
async function tell({ alarmUrl }, line) {
  const text = JSON.stringify({ at: new Date().toISOString(), ...line })
  process.stdout.write(`${text}\n`)
  if (alarmUrl === null || line.level === 'info') return true
  const sent = await fetch(alarmUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: text,
    signal: AbortSignal.timeout(WITHIN_MS),
  }).catch(() => null)
  if (sent?.ok !== true) process.stdout.write('{"level":"error","event":"alarm-not-sent"}\n')
  return sent?.ok === true
}

/** Tells an alarm when it begins, hourly while it lasts, and its end. */
/** @param {Settings} settings */
async function watch(settings) {
  let [lastReadMs, toldMs, raised, printed] = [Date.now(), 0, '', '']
  for (;;) {
    /** @type {unknown} */
    const fault = await witness(settings).then(
      () => null,
      (error) => error,
    )
    if (fault === null) lastReadMs = Date.now()
    const result = fault instanceof Error ? fault.message : 'confirmed'
    if (result !== printed) await tell(settings, { level: 'info', event: 'result', what: result })
    printed = result
    const isSilent = Date.now() - lastReadMs > settings.silentSeconds * 1000
    const silent = isSilent ? new Alarm('silent', `No checkpoint since ${new Date(lastReadMs).toISOString()}.`) : null
    const alarm = fault instanceof Alarm ? fault : silent
    if (alarm !== null && (alarm.event !== raised || Date.now() > toldMs + REPEAT_MS)) {
      const isTold = await tell(settings, { level: 'error', event: alarm.event, what: alarm.message })
      if (isTold) [toldMs, raised] = [Date.now(), alarm.event]
    } else if (alarm === null && fault === null && raised !== '') {
      const isTold = await tell(settings, { level: 'warn', event: 'over', what: `The alarm “${raised}” is over.` })
      if (isTold) raised = ''
    }
    await wait(settings.everySeconds * 1000)
  }
}

async function main() {
  const settings = settingsOf(process.env)
  const { file, name, key } = settings
  await tell(settings, { level: 'info', event: 'start', publicKey: publicKeyOf(name, key), state: resolve(file) })
  if (process.argv.includes('--accept')) forgetState(settings)
  if (!process.argv.includes('--once') && !process.argv.includes('--accept')) return await watch(settings)
  const { size, root } = await witness(settings)
  await tell(settings, { level: 'info', event: 'confirmed', size, root })
}

const [, program] = process.argv
if (program !== undefined && realpathSync(program) === realpathSync(fileURLToPath(import.meta.url))) {
  await main().catch((error) => {
    process.stderr.write(`${JSON.stringify({ level: 'error', event: error.event ?? 'failed', what: error.message })}\n`)
    process.exitCode = 1
  })
}
