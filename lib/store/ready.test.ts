import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { bootId, peekPerProcess, putPerProcess } from '#lib/config/per-process.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { probeFolder, storeIsReady } from './ready.ts'
import { store } from './store.ts'

let opened: unknown

beforeEach(async () => {
  await freshConsole()
  opened = peekPerProcess('store')
})
afterEach(() => {
  putPerProcess('store', opened)
  putPerProcess('probe', undefined)
})

test('a store that takes a row and gives it back is ready', async () => {
  expect(await storeIsReady()).toBe(true)
  const db = await store()
  const rows = await db.selectFrom('console_process').select('boot_id').where('boot_id', '=', bootId()).execute()
  expect(rows).toHaveLength(1)
})

test('one that is out is not', async () => {
  putPerProcess('store', Promise.reject(new Error('the store is out')))
  expect(await storeIsReady()).toBe(false)
  putPerProcess('store', opened)
  expect(await storeIsReady()).toBe(true)
})

test('one that answers nothing is not ready after two seconds, and is asked once however often somebody looks', async () => {
  putPerProcess('store', new Promise(() => {}))
  const looks = [storeIsReady(), storeIsReady()]
  const probe = peekPerProcess('probe')
  expect(await Promise.all(looks)).toEqual([false, false])
  expect(await storeIsReady()).toBe(false)
  expect(probe).toBeInstanceOf(Promise)
  expect(peekPerProcess('probe')).toBe(probe)
})

test('reports an embedded store whose folder is gone', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'probe-'))
  await expect(probeFolder(folder)).rejects.toThrow('ENOENT')
  mkdirSync(join(folder, 'pgdata'))
  writeFileSync(join(folder, 'pgdata', 'PG_VERSION'), '17')
  await probeFolder(folder)
  rmSync(folder, { recursive: true })
  await expect(probeFolder(folder)).rejects.toThrow('ENOENT')
})
