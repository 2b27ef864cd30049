import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import type { DraftView } from '#lib/commands/command.ts'
import type { Command } from './command-state.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { RoomNotes } from './lines.tsx'

// What it stands in is of no matter here, and needs a browser.
vi.mock('#components/frame/modal.tsx', () => ({
  Modal: ({ children }: { children: React.ReactNode }) => children,
}))

const SHORTAGE = 'Nobody who signed in within the last 30 days can approve this: nobody else has the scope.'

function dialogWith(shortage: string | null): string {
  const draft: DraftView = {
    ...{ id: 'c', kind: 'card.issue', title: 'Issue a card', lines: [], consequence: '', button: 'Issue', proof: null },
    ...{ expiresAt: '2026-11-20T10:10:00.000Z', immediate: false, warning: null, effect: 'ab12', limits: [] },
    ...{ approval: { need: 'It needs one approval.', rules: [], shortage, amount: null, hours: 8 }, passkey: false },
  }
  const command = { inFlight: null, cancel: () => {} } as unknown as Command
  return renderToStaticMarkup(
    <ConfirmDialog command={command} draft={draft} sending={false} danger={false} also={undefined} />,
  )
}

test('warns that nobody known could approve, and lets one ask', () => {
  const page = dialogWith(SHORTAGE)
  expect(page).toContain(`${SHORTAGE} You can ask all the same.`)
  expect(page).toMatch(/aria-disabled="false"[^>]*><span>Ask for approval</)
})

test('does not warn where enough people could approve', () => {
  expect(dialogWith(null)).not.toContain('all the same')
})

test('a limit that could not be read is said to be unread', () => {
  const notes = (room: Parameters<typeof RoomNotes>[0]['room']) => renderToStaticMarkup(<RoomNotes room={room} />)
  expect(notes(null)).toContain('Your limit could not be read.')
  expect(notes([])).toBe('')
})
