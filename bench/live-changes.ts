import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { startCommand } from '#lib/commands/execute.ts'
import { insertDraft, moveCommand } from '#lib/commands/store.ts'
import { putClaim } from '#lib/disputes/workspace/workspace-tables.ts'
import type { Tables } from '#lib/store/tables.ts'

const EVERY_MS = 100
/** Of so many changes one is about a case that somebody has open. */
const ONE_IN = 10
const PEOPLE = 50

/** Changes that other people make in another process: in the journal, each with the claim of a case. */
export interface Changes {
  /** When the latest claim of a case was committed, by the case's id, with who has it since. */
  readonly claims: ReadonlyMap<string, { readonly holder: string; readonly at: number }>
  readonly made: number
  stop(): Promise<void>
}

/** Makes ten changes a second, as the command engine writes them. Now and then one is about one of these cases. */
export function makeChanges(db: Kysely<Tables>, openCases: readonly string[]): Changes {
  const claims = new Map<string, { holder: string; at: number }>()
  const running = new Set<Promise<void>>()
  let made = 0
  let failed: unknown = null
  const make = async (turn: number): Promise<void> => {
    const watched = turn % ONE_IN === 0 ? openCases[(turn / ONE_IN) % openCases.length] : undefined
    const caseId = watched ?? randomUUID()
    const holder = `sso:bench-${turn}`
    await claimCase(db, caseId, holder, turn)
    if (watched !== undefined) claims.set(caseId, { holder, at: performance.now() })
    made += 1
  }
  let turn = 0
  const timer = setInterval(() => {
    const making = make(turn++).catch((error: unknown) => {
      failed = error
    })
    running.add(making)
    void making.finally(() => running.delete(making))
  }, EVERY_MS)
  return {
    claims,
    get made() {
      return made
    },
    async stop() {
      clearInterval(timer)
      await Promise.all(running)
      if (failed !== null) throw failed
    },
  }
}

async function claimCase(db: Kysely<Tables>, caseId: string, holder: string, turn: number): Promise<void> {
  const id = randomUUID()
  const holderName = `Colleague ${turn % PEOPLE}`
  const who = { actor: `sso:colleague-${turn % PEOPLE}`, actorName: holderName }
  const about = { target: caseId, params: JSON.stringify({ caseId }), facts: '{"status":"OPEN"}' }
  await insertDraft(db, { id, kind: 'case.assign', ...who, ...about })
  const started = await startCommand(db, id, [{ key: `case-claim:${caseId}`, permanent: false }])
  if (!started.ok) throw new Error('a lock of its own is held by another')
  await moveCommand(db, id, { from: ['sent'], to: 'done', outcome: '{"class":"done"}' }, (trx) =>
    putClaim(trx, { caseId, holder, holderName, since: new Date().toISOString() }, id),
  )
}
