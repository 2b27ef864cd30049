import type { Figures } from './aims.ts'
import { launchBrowser, signedInPage } from './browser.ts'
import type { Client } from './client.ts'
import type { ConsoleProcess } from './console-process.ts'
import { measureMessages } from './live-messages.ts'
import { longThread, measureOpening } from './live-opening.ts'
import { ARBITRATOR } from './measured-pages.ts'
import { Operator } from './operator.ts'

/** The seeded case with 120 messages is between these two. */
const WRITER = 'ben@example.com'

/** Messages of a live case, and how long a case with a long thread takes to open. */
export async function measureInBrowser(client: Client, console: ConsoleProcess, serviceUrl: string): Promise<Figures> {
  await using browser = await launchBrowser()
  const operator = await Operator.signIn(console.url, ARBITRATOR)
  const page = await signedInPage(browser, console.url)
  const writer = await client.tokenOf(WRITER)
  const thread = await longThread(client, writer)
  // Before anything is posted in the long thread.
  await measureOpening({ client, operator, page, party: writer, thread })
  const listener = await client.tokenOf(ARBITRATOR)
  const figures = await measureMessages({ client, serviceUrl, page, operator, caseId: thread.caseId, writer, listener })
  operator.close()
  return figures
}
