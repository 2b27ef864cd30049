import { expect, type Page } from '@playwright/test'

/** How many rows of a table are kept: the others are like them, and move with the seeded world. */
const ROWS_KEPT = 2

/** What is different in every run, and the name that stands for it; in this order. */
const changing: readonly (readonly [RegExp, string])[] = [
  [/\b[A-Z0-9]{3}(~|%7E)[\da-f]{8}-[\da-f]{4}\.\d{8}( \d{6})?\b/g, '‹reference›'],
  [/\b00-[\da-f]{32}-[\da-f]{16}-00( [\da-f]{3}-00)?\b/g, '‹trace›'],
  [/\b0x[\da-f]{64}( [\da-f]{6})?\b/g, '‹chain reference›'],
  [/\b[\da-f]{64}( [\da-f]{6})?\b/g, '‹digest›'],
  // But for the seeded users, whose ids are the same in every world.
  [/\b(?!0{8}-)[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}( [\da-f]{6})?\b/g, '‹id›'],
  [/…(?!0000)[\da-f]{6}\b/g, '…‹id›'],
  [/\b\d{4}-\d\d-\d\d\b/g, '‹day›'],
  [/\b\d{1,2} [A-Z][a-z]{2} \d{4}(, \d\d:\d\d:\d\d UTC(−\d+)?)?/g, '‹time›'],
  [/\b\d\d:\d\d(:\d\d)?\b/g, '‹time›'],
  [/(?<![<>] |–)\b(in )?\d+ (s|min|h|d)\b( ago)?/g, '‹time›'],
  [/\b(just )?now(?= copy the time|$)/gm, '‹time›'],
  [/\b(from|to)=\d{4}-\d\d-\d\d/g, '$1=‹day›'],
  // Messages are read in the background.
  [/(?<=link "(?:Us|A party|Not known|Unread) )[\d,]+/g, '‹count›'],
  [/\bCAMT-\d+-\d+-/g, 'CAMT-‹file›-'],
  [/\bCamt-\d+\.xml/g, 'Camt-‹file›.xml'],
  [/\bChrome on \w+/g, 'Chrome on ‹system›'],
]

const COMES_ALIVE_WITHIN_MS = 90_000

/**
 * The page, or one part of it, reads to a listener as it is stored in `stored/pages`: roles, names and texts, in their order.
 * `known`: texts of this run alone, each with the name that stands for it.
 */
export async function expectAsStored(
  page: Page,
  name: string,
  part: string,
  known: Readonly<Record<string, string>> = {},
): Promise<void> {
  // A part that is not alive yet has plain texts where buttons will be. A text that differs is not waited for longer.
  await expect(async () => {
    const text = textOf(await page.locator(part).ariaSnapshot(), known)
    expect(text).toMatchSnapshot(['pages', `${name.replaceAll(' ', '-')}.yml`])
  }).toPass({ timeout: COMES_ALIVE_WITHIN_MS })
}

function textOf(snapshot: string, known: Readonly<Record<string, string>>): string {
  let text = snapshot
  for (const [pattern, stands] of changing) text = text.replace(pattern, stands)
  // Whole words: four digits are in some ids as well.
  for (const [run, stands] of Object.entries(known)) {
    text = text.replace(new RegExp(`(?<![\\w-])${run}(?![\\w-])`, 'g'), `‹${stands}›`)
  }
  return `${firstRows(text.split('\n')).join('\n')}\n`
}

/** Without the rows that come after the first ones, and without the names of rows, which repeat their cells. */
function firstRows(lines: readonly string[]): readonly string[] {
  const kept: string[] = []
  let rows = 0
  let left: number | null = null
  for (const line of lines) {
    const depth = line.search(/\S/)
    if (left !== null && depth > left) continue
    left = null
    if (/^ *- rowgroup/.test(line)) rows = 0
    if (/^ *- '?row /.test(line)) {
      rows += 1
      if (rows > ROWS_KEPT) left = depth
      if (rows <= ROWS_KEPT) kept.push(`${' '.repeat(depth)}- row:`)
      else if (rows === ROWS_KEPT + 1) kept.push(`${' '.repeat(depth)}- row: and more`)
    } else kept.push(line)
  }
  return kept
}
