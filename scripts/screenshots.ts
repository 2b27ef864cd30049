import { spawnSync } from 'node:child_process'
import { copyFileSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { ensureBrowser } from './browser.ts'
import { buildIfStale } from './build.ts'

const FOLDER = 'screenshots'

const README_FOLDER = 'docs/pictures'
const README_PICTURES = {
  home: 'home/arbitrator/readme-light.png',
  deposit: 'deposits/dialog/readme-dark.png',
  queue: 'disputes/many/readme-light.png',
  case: 'case/many-messages/readme-dark.png',
}

/** `npm run screenshots [pattern]`: every page and state, in both themes, three widths. `-- --readme`: the README's. */
ensureBrowser()
await buildIfStale()
const forReadme = process.argv.includes('--readme')
const given = forReadme ? ['--grep', '@readme'] : process.argv.slice(2)
if (given.length === 0) rmSync(FOLDER, { recursive: true, force: true })
const args = ['node_modules/@playwright/test/cli.js', 'test', '--config', 'playwright.pictures.config.ts', ...given]
process.exitCode = spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1
writeFileSync(`${FOLDER}/index.html`, pageOf(globSync('**/*.png', { cwd: FOLDER }).toSorted()))
process.stdout.write(`The pictures are in ${FOLDER}/index.html\n`)
if (forReadme && process.exitCode === 0) {
  mkdirSync(README_FOLDER, { recursive: true })
  for (const [name, file] of Object.entries(README_PICTURES)) {
    copyFileSync(`${FOLDER}/${file}`, `${README_FOLDER}/${name}.png`)
  }
}

function pageOf(files: readonly string[]): string {
  const states = Map.groupBy(files, (file) => dirname(file))
  const sections = [...states].map(
    ([state, pictures]) =>
      `<h2>${state}</h2>\n${pictures.map((file) => `<a href="${file}"><img src="${file}" alt="${file}"></a>`).join('\n')}`,
  )
  return `<!doctype html><title>Pictures of the console</title><style>body{font:14px sans-serif}img{height:360px;margin:4px;border:1px solid #888}</style>
${sections.join('\n')}
`
}
