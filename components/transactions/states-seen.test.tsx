import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { StatesSeen } from './states-seen.tsx'

const at = (clock: string): string => `2026-11-16T${clock}.0000000Z`

/** Of each state, in order: its word and what is said of its time. */
function lines(seen: readonly [string, string][], told: readonly [string, string][], present: string) {
  const html = renderToStaticMarkup(
    <StatesSeen
      present={{ state: present, firstSeenAt: at('12:00:00') }}
      type="P2P"
      seen={seen.map(([state, clock]) => ({ state, firstSeenAt: at(clock) }))}
      reported={told.map(([state, clock]) => ({ state, at: at(clock) }))}
    />,
  )
  return [...html.matchAll(/<li.*?<\/li>/g)].map(([line]) => {
    const words = line.replace(/<[^>]+>/g, ' ')
    return `${/^\s*(\w+)/.exec(words)?.[1]} ${words.includes('first seen') ? 'first seen ' : ''}${/\d\d:\d\d:\d\d/.exec(words)?.[0]}`
  })
}

test('a time that this console alone knows is called first seen; the service’s own is not', () => {
  const seen: [string, string][] = [
    ['QUEUED', '09:00:00'],
    ['DISPUTED', '11:30:00'],
  ]
  expect(lines(seen, [['DISPUTED', '11:00:00']], 'DISPUTED')).toEqual([
    'Queued first seen 09:00:00',
    'Disputed 11:00:00',
  ])
  expect(lines(seen.slice(0, 1), [], 'DISPUTED')).toEqual([
    'Queued first seen 09:00:00',
    'Disputed first seen 12:00:00',
  ])
})

test('a state that was over before this console looked stands in its place by the service’s time', () => {
  expect(
    lines(
      [['PROCESSED', '12:00:00']],
      [
        ['DISPUTED', '10:00:00'],
        ['PROCESSED', '11:00:00'],
      ],
      'PROCESSED',
    ),
  ).toEqual(['Disputed 10:00:00', 'Processed 11:00:00'])
  expect(
    lines(
      [
        ['QUEUED', '09:00:00'],
        ['BLOCKED', '11:00:00'],
      ],
      [['DISPUTED', '10:00:00']],
      'PROCESSED',
    ),
  ).toEqual([
    'Queued first seen 09:00:00',
    'Disputed 10:00:00',
    'Blocked first seen 11:00:00',
    'Processed first seen 12:00:00',
  ])
})

test('a state before keeps the time that the service told when it was in it', () => {
  const seen = [{ state: 'QUEUED', firstSeenAt: at('09:30:00'), since: at('09:00:00') }]
  const present = { state: 'PROCESSING', firstSeenAt: at('12:00:00') }
  const words = renderToStaticMarkup(<StatesSeen present={present} type="DEPOSIT" seen={seen} />)
  expect(words).toContain('09:00:00')
  expect(words).not.toContain('09:30:00')
})
