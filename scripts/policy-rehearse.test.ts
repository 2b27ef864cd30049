import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { peekPerProcess, putPerProcess } from '#lib/config/per-process.ts'
import { open } from '#lib/database/open.ts'
import { postgresDatabaseUrl } from '#lib/database/test-database.ts'
import { migrate } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import { testEnvironment } from '#lib/testing/test-console.ts'
import { rehearse } from './policy-rehearse.ts'

let folder: string
let environment: Readonly<Record<string, string>>
const config = peekPerProcess('config')

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'policy-rehearse-'))
  environment = { ...testEnvironment, DATABASE_URL: await postgresDatabaseUrl() }
  const { db, close } = await open<Tables>(environment.DATABASE_URL ?? '')
  await migrate(db)
  await close()
})
afterEach(() => {
  putPerProcess('config', config)
})
afterAll(() => {
  rmSync(folder, { recursive: true })
})

function place(text: string): string {
  const path = join(folder, 'new.json')
  writeFileSync(path, text)
  return path
}

const POLICY = JSON.stringify({ rules: [{ kind: 'deposit.confirm', limit: { sum: '10.00' } }] })

describe('policy:rehearse', () => {
  test('reports on an empty journal, whatever the present policy', async () => {
    const path = place(POLICY)
    const { code, stdout, stderr } = await rehearse([path, '--days', '7'], { ...environment, POLICY_FILE: '/nowhere' })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(
      /^\S+new\.json, version [0-9a-f]{64}\n0 changes sent from .* The policy concerns 0 of them\.\n/,
    )
  })

  test('names the field and the rule that a file breaks', async () => {
    const path = place(JSON.stringify({ rules: [{ kind: 'deposit.confirm', limit: { sum: '0' } }] }))
    const { code, stdout, stderr } = await rehearse([path], environment)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toBe(`${path}: rules[0].limit.sum: must be above zero\n`)
    expect((await rehearse([place('{')], environment)).stderr).toBe(`${path}: is not JSON\n`)
  })

  test('names a file that cannot be read', async () => {
    const path = join(folder, 'none.json')
    expect(await rehearse([path], environment)).toEqual({
      ...{ code: 2, stdout: '' },
      stderr: `${path}: cannot be read: ENOENT\n`,
    })
  })

  test.each([[[]], [['a', 'b']], [['a', '--days', '0']], [['a', '--days', 'x']], [['a', '--apply']]])(
    'shows its usage for %j',
    async (args) => {
      expect(await rehearse(args, environment)).toMatchObject({ code: 2, stderr: expect.stringContaining('Usage') })
    },
  )

  test('asks for a start where the store has no tables yet', async () => {
    const { code, stderr } = await rehearse([place(POLICY)], {
      ...environment,
      DATABASE_URL: await postgresDatabaseUrl(),
    })
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('Start the console once') })
  })

  test('makes no store where none is', async () => {
    const store = join(folder, 'mistyped')
    const run = rehearse([place(POLICY)], { ...environment, DATABASE_URL: `file:${store}` })
    await expect(run).rejects.toThrow(`there is no store in ${store}`)
    expect(existsSync(store)).toBe(false)
  })

  test('names variables that are missing', async () => {
    const { code, stderr } = await rehearse([place(POLICY)], {
      ...environment,
      AUDIT_KEY: '',
      NEXTAUTH_URL: 'https://c.example',
      DATABASE_URL: 'postgres://x',
    })
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('AUDIT_KEY is missing') })
  })
})
