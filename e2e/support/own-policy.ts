import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext, Page } from '@playwright/test'
import { test as base, collectErrors, expectNoErrors } from './fixtures.ts'
import { openSession } from './sign-in.ts'

interface ConsoleOfPolicy {
  readonly url: string
  /** Opens a browser of somebody who is signed in there. */
  pageOf(email: string): Promise<Page>
}

interface Fixtures {
  /** One more console, which has a policy of its own: started once for a spec, and stopped with it. */
  under: (policy: string) => Promise<ConsoleOfPolicy>
}

export const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex')

export const test = base.extend<Fixtures>({
  under: async ({ browser, baseURL, programs, expectedErrors }, use) => {
    const contexts: BrowserContext[] = []
    const errors: string[][] = []
    await use(async (policy) => {
      const file = join(programs.folder, `policy-${digestOf(policy)}.json`)
      writeFileSync(file, policy, { mode: 0o600 })
      const { url } = await programs.anotherConsole(file, (at) => ({ NEXTAUTH_URL: at, POLICY_FILE: file }))
      const pageOf = async (email: string) => {
        const signedIn = await browser.newContext({ baseURL })
        await openSession(signedIn.request, email)
        // Cookies are of a host, whatever its port: the session holds at both.
        const context = await browser.newContext({ baseURL: url, storageState: await signedIn.storageState() })
        await signedIn.close()
        contexts.push(context)
        const page = await context.newPage()
        errors.push(await collectErrors(page))
        return page
      }
      return { url, pageOf }
    })
    for (const those of errors) expectNoErrors(those, expectedErrors)
    await Promise.all(contexts.map((context) => context.close()))
  },
})
