import { expect, test } from 'vitest'
import { actorWords } from './view.ts'

const OLGA = { actor: 'sso:1', displayName: 'olga@example.com', method: 'sso' } as const

test.each([
  ['somebody else', { actor: 'sso:2', actor_name: 'carl@example.com', method: 'sso' }, 'carl@example.com'],
  [
    'somebody else of the same name',
    { actor: 'sso:2', actor_name: 'olga@example.com', method: 'password' },
    'olga@example.com',
  ],
  ['oneself', { actor: 'sso:1', actor_name: 'olga@example.com', method: 'sso' }, 'olga@example.com'],
  [
    'oneself, by a password',
    { actor: 'sso:1', actor_name: 'Olga O.', method: 'password' },
    'you, with another sign-in',
  ],
  ['oneself, by a way that nobody wrote down', { actor: 'sso:1', actor_name: 'Olga O.', method: null }, 'you'],
  ['oneself, renamed since', { actor: 'sso:1', actor_name: 'Olga Old', method: 'sso' }, 'you'],
] as const)('the author of a change reads as who they are: %s', (_who, row, words) => {
  expect(actorWords(OLGA, row)).toBe(words)
})
