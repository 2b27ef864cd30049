import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { open } from './open.ts'
import { assertPrivate, LoosePath } from './private-folder.ts'

let parent: string
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'private-folder-'))
})
afterEach(() => rmSync(parent, { recursive: true, force: true }))

const modeOf = (path: string): number => statSync(path).mode & 0o777

test('a path that group or others may read, write or enter is refused, with the command that closes it', () => {
  const folder = join(parent, 'data')
  expect(() => assertPrivate(folder)).not.toThrow()
  mkdirSync(folder)
  for (const mode of [0o755, 0o710, 0o702, 0o777, 0o704]) {
    chmodSync(folder, mode)
    expect(() => assertPrivate(folder), mode.toString(8)).toThrow(`chmod -R go-rwx '${folder}'`)
  }
  chmodSync(folder, 0o700)
  expect(() => assertPrivate(folder)).not.toThrow()
})

test('an embedded database lies in folders that are its owner’s alone, and does not open in others', async () => {
  const folder = join(parent, 'data', 'console')
  const first = await open(`file:${folder}`)
  await first.close()
  expect(modeOf(join(parent, 'data'))).toBe(0o700)
  expect(modeOf(folder)).toBe(0o700)
  chmodSync(folder, 0o755)
  await expect(open(`file:${folder}`)).rejects.toThrow(LoosePath)
  chmodSync(folder, 0o700)
  await (await open(`file:${folder}`)).close()
})
