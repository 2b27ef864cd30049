// @ts-check
import { createHash, createPublicKey, verify } from 'node:crypto'
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** `node verify-dossier.mjs FILE LOG_PUBLIC_KEY [WITNESS_PUBLIC_KEY]`. `docs/dossier.md` specifies the format. */
const [FILE_MAX_BYTES, DEPTH_MAX, LOG_KEY_TYPE, WITNESS_KEY_TYPE] = [20_000_000, 64, 1, 4]
export class Refused extends Error {}

/** @type {(condition: unknown, why: string) => asserts condition} */
function must(condition, why) {
  if (!condition) throw new Refused(why)
}

/** @param {unknown} value @param {string} what @returns {Record<string, any>} */
function object(value, what) {
  must(typeof value === 'object' && value !== null && !Array.isArray(value), `${what} is not an object`)
  return value
}

/** @param {Record<string, any>} value @param {string[]} names @param {string} what */
const exactly = (value, names, what) =>
  must(Object.keys(value).sort().join() === names.sort().join(), `${what} does not have exactly ${names.join(', ')}`)

/** @param {...(string | Uint8Array)} parts */
const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest()

/** RFC 8785. @param {any} value @returns {string} */
function canonical(value) {
  if (typeof value === 'string') must(!/\p{Cs}/u.test(value), 'a text has half a character')
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  const names = Object.keys(value).sort()
  return `{${names.map((name) => `${canonical(name)}:${canonical(value[name])}`).join()}}`
}

/** @param {any} value @returns {any} */
const wellFormed = (value) =>
  JSON.parse(JSON.stringify(value, (_name, one) => (typeof one === 'string' ? one.replace(/\p{Cs}/gu, '�') : one)))

/** @param {any} text @param {number | null} bytes @param {string} what */
function base64(text, bytes, what) {
  const read = Buffer.from(typeof text === 'string' ? text : '', 'base64')
  must(read.toString('base64') === text && (bytes === null || read.length === bytes), `${what} is not base64`)
  return read
}

/** @param {string} text */
export function readJson(text) {
  let [depth, isText] = [0, false]
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (isText && character === '\\') at += 1
    else if (character === '"') isText = !isText
    else if (!isText && (character === '{' || character === '[')) depth += 1
    else if (!isText && (character === '}' || character === ']')) depth -= 1
    must(depth <= DEPTH_MAX, 'the file is nested too deep')
  }
  const read = JSON.parse(text)
  must(`${JSON.stringify(read)}\n` === text, 'the file has a field twice, or is not written as specified')
  return object(read, 'the file')
}

/** C2SP signed-note. @param {string} text @param {number} type */
export function readKey(text, type) {
  const [, name = '', id = '', key = ''] = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+=*)$/.exec(text) ?? []
  const typed = Buffer.from(key, 'base64')
  const own = sha256(`${name}\n`, typed).subarray(0, 4)
  must(typed.length === 33 && typed[0] === type && own.toString('hex') === id, `“${text}” is not a key of this kind`)
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), typed.subarray(1)])
  return { name, id: own, key: createPublicKey({ key: der, format: 'der', type: 'spki' }) }
}

/** @typedef {ReturnType<typeof readKey>} Key */

/** @param {unknown} note */
function readNote(note) {
  must(typeof note === 'string', 'a checkpoint is not a text')
  const end = note.indexOf('\n\n')
  const text = note.slice(0, end + 1)
  const [origin = '', size = '', root = '', ...more] = text.split('\n')
  must(end > 0 && more.join() === '' && /^(0|[1-9]\d{0,14})$/.test(size), 'a checkpoint is not written as specified')
  const signatures = note.slice(end + 2).split('\n')
  const last = signatures.pop()
  const lines = signatures.map((line) => /^— ([^\s+]+) ([A-Za-z0-9+/]+=*)$/.exec(line) ?? [])
  must(last === '' && lines.every(({ length }) => length === 3), 'a signature is not written as specified')
  const given = lines.map(([, name, signature]) => ({ name, signature: base64(signature, null, 'a signature') }))
  return { origin, text, size: Number(size), root: base64(root, 32, 'a root hash'), given }
}

/** @param {ReturnType<typeof readNote>} note @param {Key} key */
const signaturesBy = ({ given }, { name, id }) =>
  given
    .filter((one) => one.name === name && one.signature.subarray(0, 4).equals(id))
    .map(({ signature }) => signature.subarray(4))

/** @param {ReturnType<typeof readNote>} note @param {Key} log */
function mustBeOf(note, log) {
  must(note.origin === log.name, `it is of the log “${note.origin}”, not “${log.name}”`)
  const isSigned = signaturesBy(note, log).some((one) => verify(null, Buffer.from(note.text), log.key, one))
  must(isSigned, 'its checkpoint is not signed with the key of the log')
}

/** C2SP tlog-cosignature: seconds since 1970. @param {ReturnType<typeof readNote>} note @param {Key} witness */
function cosignedAt(note, witness) {
  for (const one of signaturesBy(note, witness).filter(({ length }) => length === 72)) {
    const seconds = Number(one.readBigUInt64BE(0))
    const text = Buffer.from(`cosignature/v1\ntime ${seconds}\n${note.text}`)
    if (verify(null, text, witness.key, one.subarray(8))) return new Date(seconds * 1000).toISOString()
  }
  throw new Refused('its checkpoint is not confirmed by the witness')
}

/** RFC 9162, section 2.1.3.2. @param {number} index @param {number} size @param {Buffer} leaf @param {Buffer[]} proof */
export function rootFrom(index, size, leaf, proof) {
  let [at, last, hash] = [index, size - 1, leaf]
  const half = (/** @type {number} */ number) => Math.floor(number / 2)
  for (const other of proof) {
    must(last > 0, 'a proof is too long')
    if (at % 2 === 1 || at === last) {
      hash = sha256(Buffer.of(1), other, hash)
      while (at % 2 === 0 && at !== 0) [at, last] = [half(at), half(last)]
    } else hash = sha256(Buffer.of(1), hash, other)
    ;[at, last] = [half(at), half(last)]
  }
  must(last === 0, 'a proof is too short')
  return hash
}

/** @typedef {{ index: number, sequence: number, command: string, at: string, state: string, actor: string, body: Record<string, any>, missing: string[] }} Entry */

/** @param {unknown} value @param {{ size: number, root: Buffer }} checkpoint @returns {Entry} */
function readEntry(value, { size, root }) {
  const { index, leaf, fields, proof, ...more } = object(value, 'an entry')
  must(Number.isSafeInteger(index) && index >= 0 && Object.keys(more).length === 0, 'an entry has another field')
  must(index < size, `entry ${index} is younger than the checkpoint`)
  exactly(object(leaf, 'a leaf'), ['v', 'sequence', 'command', 'at', 'state', 'actor', 'body'], `leaf ${index}`)
  must(leaf.v === 1 && Array.isArray(proof), `leaf ${index} is of another version, or has no proof`)
  const path = proof.map((hash) => base64(hash, 32, `the proof of entry ${index}`))
  const hash = rootFrom(index, size, sha256(Buffer.of(0), canonical(leaf)), path)
  must(hash.equals(root), `entry ${index} is not in the log, or was altered`)
  for (const [name, field] of Object.entries(object(fields, 'the fields'))) {
    must(Array.isArray(field) && field.length === 2, `“${name}” of entry ${index} was altered`)
    const own = sha256(base64(field[0], 16, `the salt of “${name}”`), canonical(field[1])).toString('base64')
    must(object(leaf.body, 'a body')[name] === own, `“${name}” of entry ${index} was altered`)
  }
  const missing = Object.keys(leaf.body).filter((name) => !Object.hasOwn(fields, name))
  return { index, ...leaf, body: bodyOf(fields), missing }
}

/** The field `params.reason` is a member of `params`. @param {Record<string, any>} fields @returns {Record<string, any>} */
function bodyOf(fields) {
  const body = Object.create(null)
  for (const [name, [, content]] of Object.entries(fields)) {
    const [, group = '', member = name] = /^(params|facts|confirmText)\.(.+)$/s.exec(name) ?? []
    if (group !== '') body[group] ??= Object.create(null)
    ;(group === '' ? body : body[group])[member] = content
  }
  return body
}

/** A later entry of the same change says what was erased. @param {Entry[]} events */
function mustBeErased(events) {
  for (const { index, sequence, missing } of events)
    for (const name of missing) {
      const isErased = events.some((other) => other.index > index && other.body.erased?.[sequence]?.includes(name))
      must(isErased, `“${name}” of entry ${index} was left out`)
    }
}

/** Of a COSE key, the members that a JWK needs. @param {Buffer} cose */
function passkeyOf(cose) {
  let at = 0
  const size = (/** @type {number} */ info) => {
    const width = info < 24 ? 0 : 2 ** (info - 24)
    must(info < 27, 'a passkey cannot be read')
    at += width
    return width === 0 ? info : cose.readUIntBE(at - width, width)
  }
  /** @returns {any} */
  const next = () => {
    const [major, count] = [(cose[at] ?? 255) >> 5, size((cose[at++] ?? 255) & 31)]
    if (major < 2) return major === 0 ? count : -1 - count
    must(major === 2 || major === 5, 'a passkey cannot be read')
    if (major === 5) return new Map(Array.from({ length: Math.min(count, 10) }, () => [next(), next()]))
    at += count
    return cose.subarray(at - count, at).toString('base64url')
  }
  const key = next()
  must(key instanceof Map, 'a passkey cannot be read')
  const [kty, crv, x, y] = [key.get(1), key.get(-1), key.get(-2), key.get(-3)]
  if (kty === 3) return { jwk: { kty: 'RSA', n: crv, e: x }, hash: 'sha256' }
  if (kty === 1) return { jwk: { kty: 'OKP', crv: 'Ed25519', x }, hash: null }
  must(kty === 2 && crv === 1, 'a passkey is of an unknown kind')
  return { jwk: { kty: 'EC', crv: 'P-256', x, y }, hash: 'sha256' }
}

/** @param {any} assertion @param {string} effect */
function mustBeSigned({ publicKey, challenge, clientDataJSON, authenticatorData, signature }, effect) {
  const [client, data] = [Buffer.from(clientDataJSON, 'base64url'), Buffer.from(authenticatorData, 'base64url')]
  const { type, challenge: signed } = JSON.parse(client.toString())
  const isOfEffect = Buffer.from(challenge, 'base64url').subarray(0, 32).toString('hex') === effect
  must(type === 'webauthn.get' && signed === challenge && isOfEffect, 'a passkey signed another change')
  const { jwk, hash } = passkeyOf(Buffer.from(publicKey, 'base64url'))
  const key = createPublicKey({ key: jwk, format: 'jwk' })
  const isValid = verify(hash, Buffer.concat([data, sha256(client)]), key, Buffer.from(signature, 'base64url'))
  must(isValid, 'the signature of a passkey is wrong')
}

/** The digest that approvals and passkeys name. @param {Entry[]} events */
function checkEffect(events) {
  const { command: id, actor, state, body, missing } = /** @type {Entry} */ (events[0])
  for (const event of events) {
    const { effect = body.effect, assertion } = event.body
    must(effect === body.effect, `entry ${event.index} is about another effect`)
    if (assertion != null) mustBeSigned(assertion, body.effect)
  }
  if (state !== 'draft') return 'It has no draft: it needs no confirmation, or was drafted before the signed log.'
  if (missing.some((name) => /^(params|facts|confirmText)(\.|$)/.test(name)))
    return 'Text was erased, so what approvals and passkeys name cannot be computed again.'
  const { kind, params, facts, policy, confirmText = null } = body
  const hash = (/** @type {any} */ value) => sha256(canonical(wellFormed(value))).toString('hex')
  const shown = confirmText === null ? {} : { confirmText: hash(confirmText) }
  must(hash({ id, kind, actor, params, facts, policy, ...shown }) === body.effect, 'what was confirmed was altered')
  return 'Its text, parameters and facts are those that approvals and passkeys name.'
}

/** Throws {@link Refused} with the reason. @param {string} text @param {string} logKey @param {string | null} witnessKey */
export function verifyDossier(text, logKey, witnessKey = null) {
  try {
    return check(readJson(text), readKey(logKey, LOG_KEY_TYPE), witnessKey && readKey(witnessKey, WITNESS_KEY_TYPE))
  } catch (error) {
    throw error instanceof SyntaxError ? new Refused('a part of the file cannot be read') : error
  }
}

/** @param {Record<string, any>} file @param {Key} logKey @param {Key | '' | null} witnessKey */
function check(file, logKey, witnessKey) {
  exactly(file, ['dossier', 'checkpoint', 'entries', 'answers'], 'the file')
  must(file.dossier === 1, 'the file is of another version')
  must([file.entries, file.answers].every(Array.isArray), 'a part of the file cannot be read')
  const checkpoint = readNote(file.checkpoint)
  mustBeOf(checkpoint, logKey)
  const confirmed = witnessKey ? { name: witnessKey.name, at: cosignedAt(checkpoint, witnessKey) } : null
  /** @type {Entry[]} */
  const entries = file.entries.map((/** @type {unknown} */ entry) => readEntry(entry, checkpoint))
  const inOrder = entries.every(({ index }, at) => at === 0 || index > /** @type {Entry} */ (entries[at - 1]).index)
  must(inOrder, 'its entries are not in the order of the log')
  const last = entries.pop()
  must(last?.body.kind === 'evidence.export', 'it does not end with the entry of its export')
  const { commands, answers } = last.body.evidence
  /** @type {Map<string, Entry[]>} */
  const changes = new Map()
  for (const entry of entries)
    changes
      .set(entry.command, changes.get(entry.command) ?? [])
      .get(entry.command)
      ?.push(entry)
  const counted = Object.fromEntries([...changes].map(([id, events]) => [id, events.length]))
  must(canonical(counted) === canonical(commands), 'it does not have all entries that were exported')
  const given = file.answers.map((/** @type {unknown} */ answer) => {
    const { request, at, body, ...more } = object(answer, 'an answer')
    must(typeof body === 'string' && Object.keys(more).length === 0, 'an answer of the service was altered')
    return { request, at, sha256: sha256(body).toString('hex') }
  })
  must(canonical(given) === canonical(answers), 'an answer of the service was altered')
  for (const events of [...changes.values(), [last]]) mustBeErased(events)
  const checked = [...changes.values()].map((events) => ({ events, effect: checkEffect(events) }))
  return { log: checkpoint, confirmed, changes: checked, exported: last, answers: given }
}

const NOT_PROVED = [
  'NOT PROVED:',
  '- That what the service answered is true, and who wrote a message: that is the word of the service.',
  '- That an account was used by its owner.',
  '- That nothing else happened that this console did not record.',
]

/** @param {ReturnType<typeof check>} found */
export function* sentences({ log, confirmed, changes, exported, answers }) {
  yield `PROVED by the log “${log.origin}”, which had ${log.size} entries and is signed with the key that you gave:`
  yield confirmed === null
    ? '- Without the key of a witness: the holder of the log’s key could have written another log.'
    : `- The witness “${confirmed.name}” had these entries at ${confirmed.at}, so nobody altered them since.`
  for (const { events, effect } of changes) {
    yield `- Change ${events[0]?.command}, ${events[0]?.body.kind}, by ${events[0]?.body.actorName} (${events[0]?.actor})`
    for (const { index, at, state, body, missing } of events) {
      const by = (body.byName ? ` by ${body.byName}` : '') + (body.why ? `: ${body.why}` : '')
      const signed = body.assertion == null ? '' : `; signed with the passkey “${body.assertion.name}”`
      yield `    ${at}  entry ${index}: ${body.erased ? 'text erased' : (body.decision ?? state)}${by}${signed}`
      for (const { label, value } of body.confirmText?.lines ?? []) yield `      ${label}: ${value}`
      if (missing.length > 0) yield `      Erased since: ${missing.join(', ')}`
    }
    yield `    ${effect}`
  }
  for (const { request, at, sha256: hash } of answers) yield `- At ${at} this console read ${request}: SHA-256 ${hash}`
  yield `- ${exported.body.actorName} (${exported.actor}) exported this at ${exported.at}.`
  yield* NOT_PROVED
}

const [, program] = process.argv
if (program !== undefined && realpathSync(program) === realpathSync(fileURLToPath(import.meta.url))) {
  const [file = '', logKey = '', witnessKey = null] = process.argv.slice(2)
  const print = (/** @type {string} */ line) => process.stdout.write(`${line.replace(/\p{C}/gu, '�')}\n`)
  try {
    must(statSync(file).size <= FILE_MAX_BYTES, 'the file is too large')
    for (const line of sentences(verifyDossier(readFileSync(file, 'utf8'), logKey, witnessKey))) print(line)
  } catch (error) {
    print(`${error instanceof Refused ? 'REFUSED' : 'NOT CHECKED'}: ${error instanceof Error ? error.message : error}.`)
    process.exitCode = 1
  }
}
