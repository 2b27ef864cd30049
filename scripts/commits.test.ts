import { spawnSync } from 'node:child_process'
import { relative } from 'node:path'
import { expect, test } from 'vitest'
import { isHistoryShallow } from './run-head.ts'

const SUBJECT_MAX_CHARS = 72
const AREA = /^[a-z][\w./-]*(?:,? [a-z][\w./-]*){0,3}: /

/** Words that begin no imperative: other forms of a verb, articles, pronouns and the like. */
const NOT_IMPERATIVE = [
  /^(?!(?:embed|shed|bring|ping|string)\b)\w+(?:[^e]ed|ing|[^su]s)\b/,
  /^(?:an?|the|no|not|nothing|what|who|which|this|that|it|there|every|each)\b/,
  /^(?:when|if|in|on|at|of|for|to|from|by|with|without)\b/,
  /^[^a-z]/,
]

function faultOf(subject: string): string | null {
  const [area] = AREA.exec(subject) ?? []
  if (area === undefined) return 'does not begin with "area: "'
  if (subject.length > SUBJECT_MAX_CHARS) return `has ${subject.length} characters`
  const summary = subject.slice(area.length)
  if (NOT_IMPERATIVE.some((words) => words.test(summary))) return 'does not continue with an imperative in lower case'
  return summary.endsWith('.') ? 'ends with a full stop' : null
}

function git(...args: readonly string[]): string | null {
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  return status === 0 ? stdout.trim() : null
}

const linesOf = (text: string | null): readonly string[] => (text ?? '').split('\n').filter((line) => line !== '')

test.for([
  ['commands: order what concurrent changes are limited to', null],
  ['session, saved views: end a session whose tokens do not open', null],
  ['lib/http: focus on one exchange', null],
  ['Fix the queue', 'does not begin with "area: "'],
  ['fixup! disputes: keep the queue mounted', 'does not begin with "area: "'],
  ['disputes: Keep the queue mounted', 'does not continue with an imperative in lower case'],
  ['disputes: keeps the queue mounted', 'does not continue with an imperative in lower case'],
  ['disputes: added a queue', 'does not continue with an imperative in lower case'],
  ['disputes: the queue stays mounted', 'does not continue with an imperative in lower case'],
  ['disputes: keep the queue mounted.', 'ends with a full stop'],
  [`disputes: keep ${'x'.repeat(58)}`, 'has 73 characters'],
] as const)('judges the commit subject "%s"', ([subject, fault]) => {
  expect(faultOf(subject)).toBe(fault)
})

test('commits since this check have subjects of the agreed form', ({ skip }) => {
  // A package or an archive is no checkout, or lies within that of something else.
  if (git('rev-parse', '--show-prefix') !== '') return skip('this folder is not the root of a git checkout')
  const file = relative('.', import.meta.filename)
  const first = linesOf(git('log', '--diff-filter=A', '--format=%H', '--', file)).at(-1)
  if (first === undefined) return skip('no commit adds this check yet')
  const isShallow = isHistoryShallow()
  // In a shallow history the oldest commits show no parents, and may be merges.
  const kinds = isShallow ? ['--min-parents=1', '--max-parents=1'] : ['--max-parents=1']
  const subjects = [
    ...linesOf(git('log', '-1', ...kinds, '--format=%h %s', first)),
    ...linesOf(git('log', ...kinds, '--format=%h %s', `${first}..HEAD`)),
  ]
  if (isShallow) process.stderr.write(`The git history is shallow. Subjects that are checked: ${subjects.length}\n`)
  const faults = subjects.flatMap((line) => {
    const [, commit = '', subject = ''] = /^(\w+) (.*)$/.exec(line) ?? []
    const fault = faultOf(subject)
    return fault === null ? [] : [`${commit} "${subject}" ${fault}`]
  })
  expect(faults).toEqual([])
})
