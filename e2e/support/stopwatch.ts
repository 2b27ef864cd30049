import { readFileSync, writeFileSync } from 'node:fs'
import { expect, type Page, test } from '@playwright/test'

const DOCUMENT = 'docs/keyboard.md'

/** What a person does with their hands. A text is what is written or pasted into one field. */
interface Hands {
  clicks: number
  keys: number
  texts: number
}

declare global {
  interface Window {
    tellHands(what: keyof Hands): void
  }
}

/** Runs in the page: tells of what a person did there, and of nothing that a script did. */
function listen(): void {
  const modifiers = new Set(['Alt', 'AltGraph', 'Control', 'Meta', 'Shift'])
  const isField = (target: EventTarget | null) =>
    target instanceof HTMLTextAreaElement ||
    (target instanceof HTMLInputElement && !['checkbox', 'file', 'radio'].includes(target.type))
  let writtenIn: EventTarget | null = null
  const on = <Name extends 'input' | 'keydown' | 'mousedown'>(
    name: Name,
    tell: (event: WindowEventMap[Name]) => void,
  ) => addEventListener(name, (event) => event.isTrusted && tell(event), { capture: true })
  on('keydown', ({ key, ctrlKey, metaKey, target }) => {
    const writes = key.length === 1 && !ctrlKey && !metaKey && isField(target)
    if (!writes && !modifiers.has(key)) window.tellHands('keys')
  })
  // A key, and the label of a field, make clicks of their own; no button of the mouse goes down for these.
  on('mousedown', () => window.tellHands('clicks'))
  on('input', ({ target }) => {
    if (!isField(target) || target === writtenIn) return
    writtenIn = target
    window.tellHands('texts')
  })
}

/** Counts on this page and those that follow it; `count` answers what `work` took. */
export async function startStopwatch(page: Page): Promise<(work: () => Promise<void>) => Promise<Hands>> {
  const hands: Hands = { clicks: 0, keys: 0, texts: 0 }
  await page.exposeFunction('tellHands', (what: keyof Hands) => {
    hands[what] += 1
  })
  await page.addInitScript(listen)
  await page.reload()
  await expectAlive(page)
  return async (work) => {
    const before = { ...hands }
    await work()
    // What the page told before is here after its answer.
    await page.evaluate(() => null)
    return {
      clicks: hands.clicks - before.clicks,
      keys: hands.keys - before.keys,
      texts: hands.texts - before.texts,
    }
  }
}

/** Keys and clicks are heard once the page's scripts run. */
export const expectAlive = (page: Page): Promise<void> =>
  expect(page.getByRole('button', { name: 'Go to, or paste any reference or id' })).toBeEnabled()

const WAYS = { mouse: 3, keys: 4 } as const

/** What a job took is what the table of the document says; `--update-snapshots` writes it there. */
export function expectDocumented(job: string, way: keyof typeof WAYS, { clicks, keys, texts }: Hands): void {
  const took = [many(clicks, 'click'), many(keys, 'key'), many(texts, 'text')]
    .filter((words) => words !== '')
    .join(', ')
  const lines = readFileSync(DOCUMENT, 'utf8').split('\n')
  const at = lines.findIndex((line) => line.startsWith(`| ${job} |`))
  const cells = (lines[at] ?? '').split('|').map((cell) => cell.trim())
  const renews = ['all', 'changed'].includes(test.info().config.updateSnapshots)
  if (!renews) {
    expect(cells[WAYS[way]], `${DOCUMENT}: ${job}, ${way}`).toBe(took)
    return
  }
  expect(at, `a row for “${job}” in ${DOCUMENT}`).toBeGreaterThan(0)
  cells[WAYS[way]] = took
  lines[at] = cells.join(' | ').trim()
  writeFileSync(DOCUMENT, lines.join('\n'))
}

const many = (count: number, word: string): string => (count === 0 ? '' : `${count} ${word}${count === 1 ? '' : 's'}`)
