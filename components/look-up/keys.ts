import { areas } from '#components/frame/areas.ts'

interface KeyLine {
  /** Pressed one after the other; `Ctrl` with the one that follows. */
  readonly keys: readonly string[]
  readonly words: string
}

/** A letter after it goes to a place. */
export const GO_KEY = 'g'

/** Where a letter after `g` leads. */
export const goPlaces: readonly { readonly key: string; readonly href: string; readonly words: string }[] = [
  ...areas.map(({ key, href, word }) => ({ key, href, words: word })),
  { key: 'i', href: '/deposits/statements', words: 'Statements' },
]

/** What the keys of the frame do. */
export const frameKeys = {
  open: { keys: ['/'], words: 'Go to a page, or look something up; also Ctrl K or ⌘ K' },
  list: { keys: ['?'], words: 'This list' },
} as const satisfies Record<string, KeyLine>

/** Every key of the console, as `?` lists them. */
export const keyGroups: readonly { readonly title: string; readonly lines: readonly KeyLine[] }[] = [
  {
    title: 'Everywhere',
    lines: [
      ...Object.values(frameKeys),
      { keys: ['c'], words: 'Copy what has the focus' },
      { keys: ['Esc'], words: 'Close what is open' },
    ],
  },
  { title: 'Go to', lines: goPlaces.map(({ key, words }) => ({ keys: [GO_KEY, key], words })) },
  {
    title: 'In a table',
    lines: [
      { keys: ['j'], words: 'Next row' },
      { keys: ['k'], words: 'Row before' },
      { keys: ['Enter'], words: 'Open the row' },
    ],
  },
  { title: 'On Deposits', lines: [{ keys: ['n'], words: 'Next deposit, after one is done' }] },
  {
    title: 'In a case',
    lines: [
      { keys: ['m'], words: 'Write a message' },
      { keys: ['n'], words: 'Write an internal note' },
      { keys: ['r'], words: 'Resolve' },
      { keys: ['f'], words: 'Search the thread' },
      { keys: ['['], words: 'Case before' },
      { keys: [']'], words: 'Next case' },
      { keys: ['Ctrl', 'Enter'], words: 'Send the message, or go on with the decision' },
      { keys: ['/'], words: 'Insert a snippet, in a message, a note or a reason' },
    ],
  },
]
