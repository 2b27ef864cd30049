import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import type { Refusal } from '#lib/authorization/judge.ts'
import type { IssuedCardRow } from '#lib/cards/issued-cards.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import { AtServicePanel, RegisterPanel } from './card-panels.tsx'

const NOT_VISIBLE = { ok: false, problem: problemOf('service', { status: 404 }) } as const

const ISSUED: IssuedCardRow = {
  id: '3f2b8c1e-5d04-4b7a-9e61-0c8d2f7a4e15',
  last4: '1234',
  user_id: 'a b',
  card_type: 1,
  card_type_name: 'Classic',
  printed_name: 'Ana Alvarez',
  issuer: 'sso:1',
  issuer_name: 'one',
  issued_at: '2026-01-01T00:00:00.000Z',
  command_id: 'c',
  came: 'issued',
  recorded_by: 'one',
  recorded_at: '2026-01-01T00:00:00.000Z',
  blocked_at: null,
  blocked_by: null,
  block_reason: null,
}

const words = (refusal: Refusal | null) =>
  renderToStaticMarkup(<AtServicePanel cardId={ISSUED.id} result={NOT_VISIBLE} refusal={refusal} />)
    .replace(/<[^>]+>/g, '')
    .replace(/\s+/g, ' ')

describe('a card that the service does not show', () => {
  test('is said to be unknown here only to those who see the register', () => {
    expect(words(null)).toContain('It is not on this console’s register either')
  })

  test.each([
    [true, 'Seeing the card register needs the scope core:cards:create or core:cards:manage.'],
    [false, 'Your scopes could not be read, so the card register is hidden.'],
  ])('may have been issued here for all that others know; scopes known: %s', (known, why) => {
    const said = words({ scopes: ['core:cards:create', 'core:cards:manage'], known })
    expect(said).toContain('Operators cannot read another user’s card.')
    expect(said).toContain(why)
    expect(said).not.toMatch(/not on this console|did not issue|You can still block it/)
  })
})

test('other cards of the holder are counted, and the count leads to them', () => {
  const panel = (more: number) =>
    renderToStaticMarkup(<RegisterPanel card={ISSUED} more={more} hiddenAtService={false} />)
  expect(panel(1204)).toMatch(/<a [^>]*href="\/users\/a%20b\/cards"[^>]*>1,204 more<\/a>/)
  expect(panel(0)).not.toContain('more')
})

test('shows hidden characters in names of people', () => {
  const card = {
    ...{ ...ISSUED, issuer_name: 'one\u202E', came: 'registered', recorded_by: 'two\u202E' },
    ...{ blocked_at: ISSUED.issued_at, blocked_by: 'three\u202E' },
  } as IssuedCardRow
  const panel = renderToStaticMarkup(<RegisterPanel card={card} more={0} hiddenAtService={false} />)
  for (const name of ['one', 'two', 'three']) expect(panel).toContain(`${name}[U+202E]`)
})
