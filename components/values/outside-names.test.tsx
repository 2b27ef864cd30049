import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { StatesSeen } from '#components/transactions/states-seen.tsx'
import { cardStateWords } from '#lib/cards/card-state.ts'
import { commandStateWords } from '#lib/commands/command.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import { caseStateWords } from '#lib/disputes/case-state.ts'
import { problemWords } from '#lib/service/problem-words.ts'
import { terminalStateWords } from '#lib/terminals/terminal-state.ts'
import { transactionStateWords } from '#lib/transactions/transaction.ts'
import { whatCanFollow } from '#lib/transactions/what-can-follow.ts'
import { ownProperty } from '#lib/values/words.ts'
import { StateBadge, type StateOwner, stateStyle } from './state-badge.tsx'

/** What every object answers to, whatever was put into it. */
const NAMES = ['constructor', '__proto__', 'toString', 'valueOf', 'hasOwnProperty', '__defineGetter__', 'prototype']
const OWNERS: readonly StateOwner[] = ['transaction', 'card', 'case', 'terminal']

describe.each(NAMES)('a state called %s', (name) => {
  test.each(OWNERS)('of a %s shows as it came', (of) => {
    const look = stateStyle(name, of)
    expect([look.word, look.meaning]).toEqual([name, 'neutral'])
    expect(look.icon).toBe(stateStyle('NEVER_HEARD_OF', of).icon)
    expect(renderToStaticMarkup(<StateBadge state={name} of={of} />)).toContain(name)
  })

  test('has the words of an unknown one', () => {
    for (const words of [cardStateWords, caseStateWords, terminalStateWords, transactionStateWords]) {
      expect(words(name)).toEqual({ ...words('NEVER_HEARD_OF'), word: name })
    }
    expect(commandStateWords(name)).toEqual({ word: name, meaning: 'neutral' })
    expect(whatCanFollow(name, name)).toBe(whatCanFollow('NEVER_HEARD_OF', 'NEVER_HEARD_OF'))
    const at = '2026-07-01T10:00:00.0000000Z'
    const seen = <StatesSeen present={{ state: name, firstSeenAt: at }} type={name} seen={[]} reported={[]} />
    expect(renderToStaticMarkup(seen)).toContain(name)
  })

  test('as the code of a problem has the words of an unknown one', () => {
    const problem = problemOf('service', { status: 409, title: 'Refused', code: name })
    expect(problemWords(problem)).toEqual(problemWords({ ...problem, code: 'core::never::heard_of' }))
  })

  test('is in a table only where it was put there', () => {
    expect(ownProperty({ a: 1 }, name)).toBeUndefined()
    expect(ownProperty(Object.fromEntries([[name, 1]]), name)).toBe(1)
  })
})
