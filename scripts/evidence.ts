import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { evidencePage, evidenceSections } from './evidence-page.ts'

const PAGE = 'docs/evidence.md'

const read = (file: string): string | null => (existsSync(file) ? readFileSync(file, 'utf8') : null)

/** `npm run evidence`: the tables that commands have left, put into their sections of `docs/evidence.md`. */
writeFileSync(PAGE, evidencePage(read(PAGE) ?? '', read))
for (const { command, file } of evidenceSections) {
  process.stdout.write(`${command}: ${existsSync(file) ? `from ${file}` : `as it was, there is no ${file}`}\n`)
}
