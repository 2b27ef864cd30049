import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readForm } from './request-guards.ts'

const TYPE = 'multipart/form-data; boundary=b'
const part = (head: string, content: string) => `--b\r\n${head}\r\n\r\n${content}\r\n`
const FILE = 'Content-Disposition: form-data; name="file"; filename="a.csv"'
const MAPPING = 'Content-Disposition: form-data; name="mapping"'
const formOf = (...parts: readonly string[]) => Buffer.from(`${parts.join('')}--b--\r\n`)

test('reads a form as the platform writes it', async () => {
  const fileName = fc.string({ unit: 'grapheme', minLength: 1 }).filter((name) => !/[\0\ud800-\udfff]/.test(name))
  await fc.assert(
    fc.asyncProperty(fileName, fc.uint8Array(), fc.string(), async (name, bytes, mapping) => {
      const form = new FormData()
      form.set('file', new File([bytes], name))
      form.set('mapping', mapping)
      const sent = new Response(form)
      const body = Buffer.from(await sent.clone().arrayBuffer())
      const type = sent.headers.get('content-type') ?? ''
      const read = readForm(body, type)
      const told = await sent.formData()
      if (typeof read === 'string') throw new Error(read)
      expect(new Uint8Array(read.get('file')?.bytes ?? [])).toEqual(bytes)
      expect(read.get('file')?.fileName).toBe((told.get('file') as File).name)
      expect([read.get('mapping')?.fileName, read.get('mapping')?.bytes.toString()]).toEqual([
        null,
        told.get('mapping'),
      ])
    }),
  )
})

test.each([
  ['another type', formOf(part(FILE, 'x')), 'application/json; boundary=b'],
  ['no boundary', formOf(part(FILE, 'x')), 'multipart/form-data'],
  ['another boundary', formOf(part(FILE, 'x')), 'multipart/form-data; boundary=c'],
  ['no parts', Buffer.from(''), TYPE],
  ['no end', Buffer.from(part(FILE, 'x')), TYPE],
  ['a part without a name', formOf(part('Content-Type: text/csv', 'x')), TYPE],
  ['a part that is cut off', Buffer.from(`--b\r\n${FILE}\r\n`), TYPE],
  ['a hundred thousand parts', formOf(...Array.from({ length: 100_000 }, (_, n) => part(`${MAPPING}${n}`, ''))), TYPE],
  ['nine parts', formOf(...Array.from({ length: 9 }, (_, n) => part(MAPPING.replace('mapping', `m${n}`), ''))), TYPE],
])('reads no form from %s', (_what, body, type) => {
  expect(readForm(body, type)).toBe('no-form')
})

test.each([
  ['700,000 headers', part(`${FILE}\r\n${'a:b\r\n'.repeat(700_000)}c:d`, 'x')],
  ['one header of 4 MB', part(`${FILE}\r\na:${'b'.repeat(4_000_000)}`, 'x')],
  ['a head without an end', `--b\r\n${'a'.repeat(10_000)}`],
])('gives up a part with %s', (_what, body) => {
  expect(readForm(formOf(body), TYPE)).toBe('too-long')
})

test('keeps the first of two parts with one name', () => {
  const read = readForm(formOf(part(FILE, 'first'), part(FILE, 'second')), TYPE)
  expect(typeof read === 'string' ? read : read.get('file')?.bytes.toString()).toBe('first')
})
