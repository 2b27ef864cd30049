import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { test as base } from './fixtures.ts'
import type { Program } from './programs.ts'
import { openSession } from './sign-in.ts'

interface ConsoleOfPolicy {
  readonly url: string
  /** Opens a browser of somebody who is signed in there. */
  pageOf(email: string): Promise<Page>
}

interface Fixtures {
  /** Starts one more console, which has a policy of its own. */
  under: (policy: string) => Promise<ConsoleOfPolicy>
}

export const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex')

export const test = base.extend<Fixtures>({
  under: async ({ browser, baseURL, programs }, use) => {
    const consoles: Program[] = []
    await use(async (policy) => {
      const file = join(programs.folder, `policy-${digestOf(policy)}.json`)
      writeFileSync(file, policy)
      const { url, program } = await programs.startAnotherConsole((at) => ({ NEXTAUTH_URL: at, POLICY_FILE: file }))
      consoles.push(program)
      const pageOf = async (email: string) => {
        const signedIn = await browser.newContext({ baseURL })
        await openSession(signedIn.request, email)
        // Cookies are of a host, whatever its port: the session holds at both.
        const context = await browser.newContext({ baseURL: url, storageState: await signedIn.storageState() })
        await signedIn.close()
        return await context.newPage()
      }
      return { url, pageOf }
    })
    await Promise.all(consoles.map((program) => program.stop()))
  },
})
