import { areas } from '#components/frame/areas.ts'

export interface KeyLine {
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
