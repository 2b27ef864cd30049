// @vitest-environment happy-dom
import { act } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { closePage, pressEsc, renderPage } from '#lib/testing/render-page.ts'
import { FoundReferencesBody, FoundReferencesDialog } from './found-references-dialog.tsx'

const requests = vi.hoisted(() => ({
  readFoundReferences: vi.fn(),
  acceptFoundReferences: () => new Promise(() => {}),
}))
vi.mock('../statement-requests.ts', () => requests)

type Read = Parameters<typeof FoundReferencesBody>[0]['read']

const line = { number: 1, amount: '10', currency: 'BZD', text: 'Top-up DEP-1', given: '', reference: 'DEP-1' }

const foundLines = (count: number): Read => ({
  ok: true,
  value: { found: { lines: Array.from({ length: count }, (_, at) => ({ ...line, number: at + 1 })), seal: 's' } },
})

const nothing = () => {}

/** The texts outside the table, and those of the buttons that can be pressed. */
function shown(read: Read) {
  const markup = renderToStaticMarkup(
    <FoundReferencesBody read={read} sending={false} onAccept={nothing} onAgain={nothing} onClose={nothing} />,
  )
  const buttons = [...markup.matchAll(/<button(?<attributes>[^>]*)>(?<words>[^<]*)</g)]
  return {
    message: /<p [^>]*>([^<]*)</.exec(markup)?.[1] ?? null,
    buttons: buttons.map(({ groups }) => groups?.words),
    idle: buttons.filter(({ groups }) => groups?.attributes?.includes('aria-disabled="true"')).length,
  }
}

test.each<[string, Read, ReturnType<typeof shown>]>([
  ['no count while it reads', null, { message: 'Reading the lines', buttons: ['Reading…', 'Cancel'], idle: 1 }],
  [
    'what happened when reading fails',
    { ok: false, why: 'The console did not answer.', cause: 'unanswered' },
    { message: 'The console did not answer.', buttons: ['Try again', 'Cancel'], idle: 0 },
  ],
  [
    'the count once it is read',
    foundLines(2),
    { message: null, buttons: ['Accept 2 found references', 'Cancel'], idle: 0 },
  ],
  [
    'that nothing is left',
    foundLines(0),
    { message: 'No found references are left to accept.', buttons: ['Close'], idle: 0 },
  ],
])('shows %s', (_what, read, expected) => {
  expect(shown(read)).toEqual(expected)
})

test('stays open while the references are accepted', async () => {
  requests.readFoundReferences.mockResolvedValue(foundLines(2))
  const close = vi.fn()
  await renderPage(<FoundReferencesDialog id="s" onDone={nothing} onClose={close} />)
  const [accept, cancel] = document.querySelectorAll('button')
  await act(async () => cancel?.click())
  await pressEsc()
  await act(async () => accept?.click())
  await act(async () => cancel?.click())
  await pressEsc()
  expect(close).toHaveBeenCalledTimes(2)
  await closePage()
})
