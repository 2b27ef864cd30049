import type { things } from './table.ts'

type Things = typeof things

export type ThingEntry = {
  readonly [Thing in keyof Things]: `${Thing}.${keyof Things[Thing] & string}`
}[keyof Things]

/** `signed-in`: the service or the table guards the data. `change`: the table's rule for the kind applies. */
export type Entry = 'public' | 'signed-in' | 'change' | ThingEntry

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export const pages: Readonly<Record<string, Entry>> = {
  '/': 'signed-in',
  '/activity': 'signed-in',
  '/activity/[id]': 'signed-in',
  '/approvals': 'signed-in',
  '/approvals/[id]': 'signed-in',
  '/cards': 'signed-in',
  '/cards/[cardId]': 'signed-in',
  '/cards/issue': 'signed-in',
  '/deposits': 'signed-in',
  '/deposits/report': 'statements.read',
  '/deposits/statements': 'statements.read',
  '/deposits/statements/[id]': 'statements.read',
  '/disputes': 'signed-in',
  '/disputes/[caseId]': 'signed-in',
  '/disputes/categories': 'categories.read',
  '/disputes/snippets': 'snippets.read',
  '/security': 'signed-in',
  '/security/policy': 'signed-in',
  '/security/policy/rehearsal': 'policyRehearsal.read',
  '/security/sessions': 'othersSessions.read',
  '/terminals': 'signed-in',
  '/terminals/[terminalId]': 'signed-in',
  '/transactions': 'signed-in',
  '/transactions/[referenceId]': 'signed-in',
  '/users': 'signed-in',
  '/users/[id]': 'signed-in',
  '/users/[id]/access': 'signed-in',
  '/users/[id]/cards': 'register.read',
}

/** A handler that is missing here is refused. */
export const handlers: Readonly<Record<string, Readonly<Partial<Record<Method, Entry>>>>> = {
  '/not-found': { GET: 'public' },
  '/sign-in': { GET: 'public', POST: 'public' },
  '/signed-in': { GET: 'public' },
  '/signed-out': { GET: 'public' },
  '/api/activity/check': { POST: 'journalCheck.write' },
  '/api/auth/[...nextauth]': { GET: 'public', POST: 'public' },
  '/api/commands': { POST: 'change' },
  '/api/commands/[id]': { GET: 'change', POST: 'change', PUT: 'change', DELETE: 'change' },
  '/api/commands/[id]/approval': { POST: 'change' },
  '/api/commands/[id]/decision': { POST: 'change' },
  '/api/commands/[id]/dismiss': { POST: 'change' },
  '/api/commands/[id]/free-lock': { POST: 'change' },
  '/api/commands/[id]/passkey': { POST: 'change' },
  '/api/commands/[id]/settle': { POST: 'change' },
  '/api/csp-report': { POST: 'public' },
  '/api/deposits/report': { GET: 'statements.read' },
  '/api/deposits/statements': { POST: 'statements.write' },
  '/api/deposits/statements/[id]': { POST: 'statements.write', DELETE: 'statements.write' },
  '/api/deposits/statements/[id]/file': { GET: 'statements.write' },
  '/api/deposits/statements/[id]/found-references': { GET: 'statements.read', POST: 'statements.write' },
  '/api/deposits/statements/[id]/lines/[number]': { POST: 'statements.write' },
  '/api/deposits/statements/[id]/lines/[number]/confirmation': { POST: 'statements.write' },
  '/api/deposits/statements/[id]/results': { GET: 'statements.read' },
  '/api/deposits/statements/[id]/work': { POST: 'statements.write', DELETE: 'statements.write' },
  '/api/disputes/[caseId]/evidence': { GET: 'caseWorkspace.read' },
  '/api/disputes/[caseId]/seen': { POST: 'caseWorkspace.write', DELETE: 'caseWorkspace.write' },
  '/api/disputes/[caseId]/similar': { GET: 'decisions.read' },
  '/api/disputes/assignments': { GET: 'assignable.read', POST: 'caseWorkspace.write' },
  '/api/disputes/next': { POST: 'caseWorkspace.write' },
  '/api/disputes/queue': { GET: 'signed-in' },
  '/api/disputes/snippets': { GET: 'snippets.read' },
  '/api/export/activity': { GET: 'signed-in' },
  '/api/export/approvals': { GET: 'signed-in' },
  '/api/export/cases': { GET: 'caseIndex.read' },
  '/api/export/evidence': { GET: 'signed-in' },
  '/api/export/history': { GET: 'exports.read' },
  '/api/health': { GET: 'public' },
  '/api/log/checkpoint': { GET: 'public', POST: 'public' },
  '/api/look-up': { POST: 'signed-in' },
  '/api/metrics': { GET: 'public' },
  '/api/passkeys': { POST: 'passkeys.write' },
  '/api/passkeys/challenge': { POST: 'passkeys.write' },
  '/api/policy/rehearsal': { POST: 'policyRehearsal.read' },
  '/api/ready': { GET: 'public' },
  '/api/session/activity': { POST: 'sessions.write' },
  '/api/session/back-channel-logout': { POST: 'public' },
  '/api/session/drafts': { GET: 'unsentText.read', PUT: 'unsentText.write' },
  '/api/session/others': { POST: 'othersSessions.write' },
  '/api/session/preferences': { POST: 'preferences.write' },
  '/api/session/recent-things': { GET: 'recentThings.read', POST: 'recentThings.write' },
  '/api/session/sessions': { DELETE: 'sessions.write' },
  '/api/session/sessions/[id]': { DELETE: 'sessions.write' },
  '/api/session/sign-out': { POST: 'sessions.write' },
  '/api/session/state': { GET: 'public' },
  '/api/stream': { POST: 'signed-in' },
  '/api/stream/poll': { POST: 'signed-in' },
  '/api/stream/[id]': { POST: 'signed-in' },
  '/api/views': { POST: 'savedViews.write' },
  '/api/views/[id]': { PUT: 'savedViews.write', DELETE: 'savedViews.write' },
}

const patternOf = (template: string): RegExp =>
  new RegExp(`^${template.replace(/\[\.{3}\w+\]/, '.+').replace(/\[\w+\]/g, '[^/]+')}$`)

const handlerPatterns = Object.entries(handlers).map(([template, methods]) => ({
  template,
  pattern: patternOf(template),
  methods: new Map(Object.entries(methods)),
}))
const pagePatterns = Object.keys(pages).map((template) => ({ template, pattern: patternOf(template) }))
const allPatterns = [...pagePatterns, ...handlerPatterns]

export const topicEntries = {
  session: 'signed-in',
  'own-cases': 'signed-in',
  home: 'signed-in',
  waiting: 'signed-in',
  command: 'signed-in',
  workspace: 'caseWorkspace.read',
  statement: 'statements.read',
  queue: 'signed-in',
  thread: 'signed-in',
  sessions: 'othersSessions.read',
} as const satisfies Readonly<Record<string, 'signed-in' | ThingEntry>>

export type TopicName = keyof typeof topicEntries

export function entryOf(method: string, pathname: string): Entry | null {
  const handler = handlerPatterns.find(({ pattern }) => pattern.test(pathname))
  // The framework answers HEAD with the GET handler.
  return handler?.methods.get(method === 'HEAD' ? 'GET' : method) ?? null
}

/** A replaced session handle may only read. */
export const onlyReads = (method: string, entry: Entry): boolean =>
  method === 'GET' || method === 'HEAD' || !(entry === 'change' || entry.endsWith('.write'))

/** `POST` and `PUT` of a command check themselves: a repetition gets its outcome. `DELETE` ends what is under way. */
const goesOn = /^(?:\w+ \/api\/commands(?:\/[^/]+)?|DELETE .+\/work|\w+ .+\/seen)$/

/** Refused once the witness confirmed another log: what changes records for more than one person. */
export function stopsWithLog(method: string, pathname: string): boolean {
  const entry = entryOf(method, pathname)
  const changes = entry === 'change' || /^(?:statements|caseWorkspace|passkeys)\.write$/.test(entry ?? '')
  return changes && method !== 'GET' && method !== 'HEAD' && !goesOn.test(`${method} ${pathname}`)
}

export const isRoute = (pathname: string): boolean => allPatterns.some(({ pattern }) => pattern.test(pathname))

export function templateOf(pathname: string): string | null {
  if (Object.hasOwn(pages, pathname) || Object.hasOwn(handlers, pathname)) return pathname
  return allPatterns.find(({ pattern }) => pattern.test(pathname))?.template ?? null
}
