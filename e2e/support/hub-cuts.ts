import { setTimeout as wait } from 'node:timers/promises'
import { type Browser, expect, type Page } from '@playwright/test'
import { collectErrors } from './fixtures.ts'
import { Holder } from './holder.ts'
import type { Programs } from './programs.ts'
import { ANA, BEN, type SandboxControls } from './sandbox-controls.ts'
import { bodiesShown, connection, openCase, watchConnection } from './workbench.ts'

interface CutsOptions {
  readonly browser: Browser
  readonly page: Page
  readonly programs: Programs
  readonly sandbox: SandboxControls
  /** How long each outage lasts, one after the other, in milliseconds. */
  readonly downMs: readonly number[]
}

/**
 * An arbitrator and an admin look at one case, each in a browser of their own, while the hub is cut again and again and
 * both parties write before, during and after each cut. Expects both threads to be the service's in the end.
 */
export async function expectSameThroughCuts({ browser, page, programs, sandbox, downMs }: CutsOptions): Promise<void> {
  const caseId = await sandbox.raiseCase()
  const ana = await Holder.signIn(programs.sandboxUrl, 'ana@example.com', ANA)
  const ben = await Holder.signIn(programs.sandboxUrl, 'ben@example.com', BEN)
  const context = await browser.newContext({ baseURL: programs.consoleUrl })
  const other = await context.newPage()
  const errors = await collectErrors(other)
  await Promise.all([openCase(page, caseId), openCase(other, caseId, 'admin@example.com')])
  const words = await Promise.all([watchConnection(page), watchConnection(other)])
  const bothWrite = (when: string) => Promise.all([ana.write(caseId, `Ana ${when}`), ben.write(caseId, `Ben ${when}`)])
  const bothLive = async () => {
    for (const who of [page, other]) await expect(connection(who, 'Live')).toBeVisible()
  }

  for (const [at, ms] of downMs.entries()) {
    // Every other cut comes while they are still catching up with the one before.
    if (at % 2 === 0) await bothLive()
    await Promise.all([bothWrite(`at cut ${at}`), sandbox.dropHub(ms)])
    await Promise.all([bothWrite(`during cut ${at}`), wait(ms)])
    await bothWrite(`after cut ${at}`)
  }

  await bothLive()
  const written = await sandbox.bodiesOf(caseId)
  // The line that says that the case was opened, and six for every cut.
  expect(written).toHaveLength(1 + 6 * downMs.length)
  for (const who of [page, other]) await expect.poll(() => bodiesShown(who)).toEqual(written)
  for (const seen of words)
    expect(await seen()).toContainEqual(expect.stringMatching(/^(Catching up|Checking every 5 s)$/))
  await bothLive()
  expect(errors).toEqual([])
  await context.close()
}
