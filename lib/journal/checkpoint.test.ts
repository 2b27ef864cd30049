import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { configureForTest } from '#lib/testing/test-console.ts'
import { cosignature, publicKeyOf, readPublicKey } from '../../tools/witness.mjs'
import {
  cosignedAt,
  isSignedCheckpoint,
  isSignedKeyChange,
  readCheckpoint,
  signCheckpoint,
  signKeyChange,
  verifierKey,
} from './checkpoint.ts'

const root = 'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125'
const checkpoint = { origin: 'console.example.com', size: 20_852_163, root }
const keyOf = (byte: number) => configureForTest({ LOG_KEY: Buffer.alloc(32, byte).toString('base64') }).logKeys

test('is a signed note of origin, size and root', () => {
  const note = signCheckpoint(checkpoint, keyOf(8))
  const [origin, size, base64, empty, signature, end] = note.split('\n')
  expect([origin, size, base64, empty, end]).toEqual([
    'console.example.com',
    '20852163',
    Buffer.from(root, 'hex').toString('base64'),
    '',
    '',
  ])
  expect(signature).toMatch(/^— console\.example\.com [A-Za-z0-9+/]{91}=$/)
})

test('writes its public key as Go’s checksum database does', () => {
  const published = 'sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8'
  const raw = Buffer.from('Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8', 'base64').subarray(1)
  const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), raw])
  expect(verifierKey('sum.golang.org', createPublicKey({ key: spki, format: 'der', type: 'spki' }))).toBe(published)
})

test('is refused when one thing differs', () => {
  const key = keyOf(8)
  const note = signCheckpoint(checkpoint, key)
  expect(isSignedCheckpoint(note, checkpoint, key)).toBe(true)
  for (const other of [
    { ...checkpoint, size: 20_852_162 },
    { ...checkpoint, origin: 'other.example.com' },
    { ...checkpoint, root: root.replace('f', 'e') },
  ]) {
    expect(isSignedCheckpoint(note, other, key)).toBe(false)
    expect(isSignedCheckpoint(signCheckpoint(other, key), checkpoint, key)).toBe(false)
  }
  expect(isSignedCheckpoint(note, checkpoint, keyOf(9))).toBe(false)
  expect(isSignedCheckpoint(note.slice(0, -20), checkpoint, key)).toBe(false)
  expect(isSignedCheckpoint(note.replace('\n\n', '\nmore\n\n'), checkpoint, key)).toBe(false)
})

test('is signed by each key of a change of keys', () => {
  const [older, newer] = [keyOf(8), keyOf(9)]
  const note = signCheckpoint(checkpoint, [...newer, ...older])
  for (const keys of [older, newer, [...newer, ...older]]) expect(isSignedCheckpoint(note, checkpoint, keys)).toBe(true)
  expect(isSignedCheckpoint(note, checkpoint, keyOf(7))).toBe(false)
  expect(isSignedCheckpoint(note, checkpoint, [])).toBe(false)
})

test('a key names the next one, and no other', () => {
  const [[from], [next], [other]] = [keyOf(8), keyOf(9), keyOf(7)]
  const note = signKeyChange(checkpoint.origin, from, next)
  expect(isSignedKeyChange(note, checkpoint.origin, from, next)).toBe(true)
  expect(isSignedKeyChange(note, checkpoint.origin, from, other)).toBe(false)
  expect(isSignedKeyChange(note, checkpoint.origin, other, next)).toBe(false)
  expect(isSignedKeyChange(note, 'other.example.com', from, next)).toBe(false)
  expect(readCheckpoint(note)).toBeNull()
})

test('passes beside the signature of a witness', () => {
  const key = keyOf(8)
  const note = signCheckpoint(checkpoint, key)
  const witnessed = `${note}— witness.example.com ${Buffer.alloc(76, 1).toString('base64')}\n`
  expect(isSignedCheckpoint(witnessed, checkpoint, key)).toBe(true)
})

test('takes no cosignature of a time that no calendar has', () => {
  const { privateKey: key, publicKey } = generateKeyPairSync('ed25519')
  const { id } = readPublicKey(publicKeyOf('witness', key), 4)
  const note = signCheckpoint(checkpoint, keyOf(8))
  const text = note.slice(0, note.indexOf('\n\n') + 1)
  const timeOf = (seconds: number) => {
    const signed = cosignature(
      { ...checkpoint, root: Buffer.from(root, 'hex'), text },
      { name: 'witness', key },
      seconds,
    )
    return cosignedAt(note + signed, checkpoint, { name: 'witness', keyId: Buffer.from(id), key: publicKey })
  }
  const last = 8_640_000_000_000
  expect([last, last + 1, 2 ** 52].map(timeOf)).toEqual([last, null, null])
})
