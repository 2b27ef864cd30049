import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { keyGroups } from '#components/look-up/keys-dialog.tsx'

const DOCUMENT = `${import.meta.dirname}/../docs/keyboard.md`
const HEAD = '## All keys\n'

/** `Ctrl` is held with the key that follows; others are pressed one after the other. */
const keysOf = (keys: readonly string[]): string =>
  keys.map((key) => `\`${key}\``).join(keys[0] === 'Ctrl' ? ' + ' : ' then ')

const tables = keyGroups.map(({ title, lines }) =>
  [
    `### ${title}\n`,
    '| keys | what they do |',
    '| --- | --- |',
    ...lines.map(({ keys, words }) => `| ${keysOf(keys)} | ${words} |`),
  ].join('\n'),
)

test('docs/keyboard.md lists the keys that the console lists, each with the same words', async () => {
  const [before] = readFileSync(DOCUMENT, 'utf8').split(HEAD)
  // Written anew by `npm run test:unit keyboard-document -- -u`.
  await expect(`${before}${HEAD}\n${tables.join('\n\n')}\n`).toMatchFileSnapshot(DOCUMENT)
})
