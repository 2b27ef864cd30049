import { globSync, readFileSync } from 'node:fs'

/** One address that the console answers, as the folders of `app` define it. */
export interface Route {
  readonly file: string
  /** With something in place of its parameters. */
  readonly address: string
  /** What its handlers take; a page is read. */
  readonly methods: readonly string[]
}

const SAMPLE = 'e6f1c3a2-5b7d-4e8f-9a0b-1c2d3e4f5a6b'

function addressOf(file: string): string {
  const segments = file.split('/').slice(1, -1)
  const parts = segments.filter((part) => !part.startsWith('(')).map((part) => (part.startsWith('[') ? SAMPLE : part))
  return `/${parts.join('/')}`
}

function methodsOf(file: string): readonly string[] {
  if (file.endsWith('page.tsx')) return ['GET']
  const exported = readFileSync(file, 'utf8').matchAll(
    /(?:export (?:async )?(?:function|const) |\bas )(GET|POST|PUT|PATCH|DELETE)\b/g,
  )
  const methods = [...exported].map(([, method = '']) => method)
  if (methods.length === 0) throw new Error(`no handler is found in ${file}`)
  return methods
}

/** Every page and every handler there is. */
export const routes: readonly Route[] = globSync('app/**/{page.tsx,route.ts}')
  .map((file) => file.replaceAll('\\', '/'))
  .sort()
  .map((file) => ({ file, address: addressOf(file), methods: methodsOf(file) }))

/** What answers without a session, and why. A route that is not here has to ask for one. */
export const open: Readonly<Record<string, string>> = {
  'app/(auth)/not-found/route.ts': 'says of an address that there is no such page, and nothing else',
  'app/(auth)/sign-in/route.ts': 'where a session begins',
  'app/(auth)/signed-in/route.ts': 'where a sign-in lands, before the Strict cookie is sent',
  'app/(auth)/signed-out/route.ts': 'where a session has ended',
  'app/api/auth/[...nextauth]/route.ts': 'the handshake of a sign-in',
  'app/api/csp-report/route.ts': 'browsers send it by themselves; it changes nothing and answers everyone the same',
  'app/api/health/route.ts': 'says that the process answers, and nothing else',
  'app/api/log/checkpoint/route.ts': 'the token of the witness is its guard; without one there is nothing there',
  'app/api/metrics/route.ts': 'a token of the deployment is its guard; without one there is nothing there',
  'app/api/ready/route.ts': 'says whether the store reads and writes, and nothing else',
  'app/api/session/back-channel-logout/route.ts': 'the identity provider calls it; its signature is the guard',
  'app/api/session/state/route.ts': 'that there is no session is an answer like any other',
}

/** Runs eight at once; the results are in the order of the items. */
export async function eightAtOnce<Item, Result>(
  items: readonly Item[],
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const waiting = items.entries()
  const runInTurn = async (): Promise<void> => {
    for (const [at, item] of waiting) results[at] = await run(item)
  }
  await Promise.all(Array.from({ length: 8 }, runInTurn))
  return results
}
