import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import type { Refusal } from '#lib/authorization/judge.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import { AtServicePanel } from './card-panels.tsx'

const NOT_VISIBLE = { ok: false, problem: problemOf('service', { status: 404 }) } as const

const words = (refusal: Refusal | null) =>
  renderToStaticMarkup(<AtServicePanel result={NOT_VISIBLE} refusal={refusal} />)
    .replace(/<[^>]+>/g, '')
    .replace(/\s+/g, ' ')

describe('a card that the service does not show', () => {
  test('is said to be unknown here only to those who see the register', () => {
    expect(words(null)).toContain('It is not on this console’s register either')
  })

  test.each([
    [true, 'its register takes the scope core:cards:create or core:cards:manage.'],
    [false, 'your scopes could not be read. Try again in a moment.'],
  ])('may have been issued here for all that others know; scopes known: %s', (known, why) => {
    const said = words({ scopes: ['core:cards:create', 'core:cards:manage'], known })
    expect(said).toContain('Whether this console issued it is not known to you')
    expect(said).toContain(why)
    expect(said).not.toMatch(/not on this console|did not issue|all that is known/)
  })
})
