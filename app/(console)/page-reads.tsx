import { notFound } from 'next/navigation'
import { after } from 'next/server'
import type { ComponentProps, ReactNode } from 'react'
import { PageHead } from '#components/frame/page-head.tsx'
import { ReadPlace } from '#components/frame/page-progress.tsx'
import { PanelOutline } from '#components/frame/panel.tsx'
import { queryOf, type SearchParams } from '#components/table/table-state.ts'
import { refusedFrom, refusedWithoutScopes } from '#lib/authorization/judge.ts'
import type { ThingEntry } from '#lib/authorization/routes.ts'
import { rememberShown } from '#lib/look-up/recent-things.ts'
import type { Thing } from '#lib/look-up/thing.ts'
import type { Result } from '#lib/service/client.ts'
import { readAccess } from '#lib/service/scopes.ts'
import { leaveForSignIn, requireSession } from '#lib/session/current.ts'
import type { Session } from '#lib/session/session.ts'
import { cleanReference } from '#lib/values/text.ts'
import { RefusedPanel } from './access-notes.tsx'

/** Decodes a path segment. Answers "not found" if its percent-encoding is invalid. */
export function segmentText(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    notFound()
  }
}

/** {@link segmentText} without invisible characters, which ids never contain but a reference may. */
export const segmentId = (segment: string): string => cleanReference(segmentText(segment))

/** The longest wait for content before the first byte. An outline that is replaced sooner than this would flicker. */
export const SOON_MS = 50

type Content = Promise<Awaited<ReactNode>>

/** Starts a read early. If the page redirects before it awaits the read, a failure is not an unhandled rejection. */
export function startRead(content: Content): Content {
  content.catch(() => {})
  return content
}

const firstWithin = <Value,>(reading: Promise<Value>, withinMs: number): Promise<{ readonly value: Value } | null> =>
  Promise.race([
    reading.then(
      (value) => ({ value }),
      () => null,
    ),
    new Promise<null>((done) => setTimeout(done, withinMs, null)),
  ])

interface RenderWithAccessProps {
  session: Session
  content: Content
  /** Omitted where the layout has it. */
  head?: ComponentProps<typeof PageHead>
  /** The title of the panel in the outline. */
  panel: string
}

/** Renders an outline only while the person's scopes are read, because "not found" and redirects need the first byte. */
export async function RenderWithAccess({ session, content, head, panel }: RenderWithAccessProps) {
  const soon = (await firstWithin(readAccess(session), SOON_MS)) !== null
  return (
    <ReadPlace soon={soon} outline={soon ? null : <PageOutline head={head} panel={panel} />}>
      {soon ? await content : content}
    </ReadPlace>
  )
}

const PageOutline = ({ head, panel }: Pick<RenderWithAccessProps, 'head' | 'panel'>) => (
  <>
    {head === undefined ? null : <PageHead {...head} />}
    <PanelOutline title={panel} lines={6} />
  </>
)

interface AccessPage<Params> {
  head: ComponentProps<typeof PageHead>
  panel: string
  /** As in `lib/authorization/routes.ts`. */
  entry: 'signed-in' | ThingEntry
  read: (session: Session, query: URLSearchParams, params: Params) => Content
}

export interface PageProps<Params> {
  params: Promise<Params>
  searchParams: Promise<SearchParams>
}

export const accessPage =
  <Params,>({ head, panel, entry, read }: AccessPage<Params>) =>
  async ({ params, searchParams }: PageProps<Params>) => {
    const session = await requireSession()
    const query = queryOf(await searchParams)
    const readPermitted = async () => {
      const refusal = entry === 'signed-in' ? null : await refusedFrom(session, entry)
      if (refusal === null) return await read(session, query, await params)
      return (
        <>
          <PageHead {...head} />
          <RefusedPanel refusal={refusal} />
        </>
      )
    }
    return <RenderWithAccess session={session} content={startRead(readPermitted())} head={head} panel={panel} />
  }

interface RenderWithinProps {
  content: Content
  outline: ReactNode
  withinMs?: number
}

/** Shows an outline for content slower than `withinMs`. A failure is thrown inside the frame. */
export async function RenderWithin({ content, outline, withinMs = SOON_MS }: RenderWithinProps) {
  const first = await firstWithin(content, withinMs)
  return (
    <ReadPlace soon={first !== null} outline={first === null ? outline : null}>
      {first === null ? content : first.value}
    </ReadPlace>
  )
}

export async function readOrSignIn<Value>(reading: Promise<Result<Value>>): Promise<Result<Value>> {
  const result = await reading
  return !result.ok && result.problem.kind === 'session-over' ? await leaveForSignIn() : result
}

/** "Not found", unless unreadable scopes may be the reason. */
export async function hiddenChange(session: Session) {
  const refusal = await refusedWithoutScopes(session)
  if (refusal === null) notFound()
  return (
    <>
      <PageHead title="Change" lead="It cannot be shown right now." />
      <RefusedPanel refusal={refusal} />
    </>
  )
}

/** Keeps what the page shows among the recent things of the person, after the response. */
export const recordShown = ({ actor }: Session, thing: Thing, label = ''): void =>
  after(() => rememberShown(actor, { ...thing, label }))

/** The search parameter after a card number was submitted. The number is not stored. */
export const REFUSED = 'refused'

/** The redirect target for any address that contains a card number. */
export const CARD_NUMBER_ADDRESS = `/cards?${REFUSED}=card-number`
