import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { expect, onTestFinished, test } from 'vitest'
import { configureForTest } from '#lib/testing/test-console.ts'
import { lookAtSink } from './machine.ts'

const judge = async (AUDIT_SINK: string) =>
  (await lookAtSink(configureForTest({ AUDIT_SINK }))).map(({ level, fault }) => [level, fault])

test.each([
  [204, 'good', null],
  [415, 'good', null],
  [301, 'wrong', 'sink-path'],
  [404, 'wrong', 'sink-path'],
  [405, 'wrong', 'sink-path'],
  [503, 'note', null],
])('judges a sink that answers %i as %s', async (status, level, fault) => {
  const server = createServer((_request, response) => response.writeHead(status, { location: '/other' }).end())
  onTestFinished(() => void server.close())
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  expect(await judge(`http://127.0.0.1:${port}/log`)).toEqual([[level, fault]])
})

test('a sink in a folder that the unit makes is not wrong', async () => {
  expect(await judge('file:/var/log/console/log.jsonl')).not.toContainEqual(['wrong', 'sink-file'])
})

test('notes what the unit needs for another folder', async () => {
  const [finding] = await lookAtSink(configureForTest({ AUDIT_SINK: `file:${tmpdir()}/log.jsonl` }))
  expect(finding).toMatchObject({ level: 'note', what: expect.stringContaining(`ReadWritePaths=${tmpdir()} `) })
})
