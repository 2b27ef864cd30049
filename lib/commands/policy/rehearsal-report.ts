import 'server-only'
import type { Kysely } from 'kysely'
import type { Policy } from '#lib/config/policy.ts'
import { kindTable } from '#lib/kind-names.ts'
import type { Tables } from '#lib/store/tables.ts'
import { shortId } from '#lib/values/ids.ts'
import { visibleText } from '#lib/values/text.ts'
import { timeInText } from '#lib/values/time.ts'
import { counted, formatCount, ownProperty } from '#lib/values/words.ts'
import { shortageWords } from './approvers.ts'
import { type Rehearsal, rehearsePolicy, type Tally } from './rehearsal.ts'

const DAY_MS = 86_400_000

export const labelOf = (kind: string): string => ownProperty(kindTable, kind)?.label ?? kind

/** Those that the policy names, or that need something under any policy. */
export const kindsConcerned = ({ kinds }: Rehearsal, { rules }: Policy) =>
  kinds.filter(({ kind, met }) => met > 0 || rules.some((rule) => rule.kind === kind))

const COLUMNS = ['sent', 'over a limit', 'need approval', 'need a passkey', 'nobody could approve']
const figuresOf = ({ sent, denied, approvals, passkeys, nobody }: Tally): readonly number[] => [
  ...[sent, denied, approvals, passkeys, nobody],
]

function tableOf(title: string, rows: readonly (Tally & { readonly name: string })[]): string {
  if (rows.length === 0) return ''
  const width = Math.max(title.length, ...rows.map(({ name }) => name.length))
  const line = (name: string, cells: readonly string[]) =>
    `${name.padEnd(width)}  ${cells.map((cell, at) => cell.padStart(COLUMNS[at]?.length ?? 0)).join('  ')}\n`
  const body = rows.map((row) => line(row.name, figuresOf(row).map(formatCount)))
  return `\n${line(title, COLUMNS)}${body.join('')}`
}

interface Request {
  readonly path: string
  readonly days: number
}

export async function rehearsalReport(db: Kysely<Tables>, policy: Policy, { path, days }: Request): Promise<string> {
  const since = new Date(Date.now() - days * DAY_MS).toISOString()
  return reportOf(path, policy, await rehearsePolicy(db, policy, { since }))
}

function reportOf(path: string, policy: Policy, rehearsal: Rehearsal): string {
  const { since, until, sent, met, notGenuine, people, unapprovable } = rehearsal
  const ofKinds = kindsConcerned(rehearsal, policy).map((tally) => ({ ...tally, name: labelOf(tally.kind) }))
  const ofPeople = people.map((tally) => ({ ...tally, name: personOf(tally) }))
  const total = people.reduce((sum, { nobody }) => sum + nobody, 0)
  return [
    `${path}, version ${policy.version}\n`,
    `${counted(sent, 'change')} sent from ${timeInText(since)} to ${timeInText(until)}. The policy concerns ${formatCount(met)} of them.\n`,
    'A change over a limit counts as not sent. Approvals and passkeys count as given. People are judged by today’s scopes.\n',
    notGenuine === 0 ? '' : `${counted(notGenuine, 'event')} left out: run npm run audit:verify.\n`,
    tableOf('By kind', ofKinds),
    tableOf('By person', ofPeople),
    unapprovable.length === 0 ? '' : `\nNobody could have approved ${counted(total, 'change')}`,
    unapprovable.length === total ? '' : `, of which the latest ${unapprovable.length}`,
    unapprovable.length === 0 ? '' : ':\n',
    ...unapprovable.map(
      ({ at, kind, target, actorName, id, shortage }) =>
        `${timeInText(at)}  ${labelOf(kind)}  ${plain(target)}  ${plain(actorName)}  ${id}\n  ${shortageWords(shortage)}\n`,
    ),
  ].join('')
}

function personOf({ actor, name, passkeys, hasPasskey }: Rehearsal['people'][number]): string {
  const who = `${plain(name)} ${shortId(actor)}`
  return passkeys > 0 && !hasPasskey ? `${who} (has no passkey)` : who
}

/** On one line, without codes that a terminal obeys. */
const plain = (text: string): string => visibleText(text).replace(/\s+/g, ' ')
