import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'

/** A file of some folder, what it imports, and whether the map's arrows allow it. */
const planted: readonly (readonly [folder: string, specifier: string, may: boolean])[] = [
  ['sandbox', '#lib/domain/money.ts', false],
  ['sandbox', '#lib/store/store.ts', false],
  ['sandbox', '../lib/domain/money.ts', false],
  ['sandbox', '#lib/contract/users.ts', true],
  ['sandbox/ledger', '#sandbox/world/clock.ts', true],
  ['lib/contract', '#lib/domain/money.ts', false],
  ['lib/contract', 'node:fs', false],
  ['lib/contract', 'zod', true],
  ['lib/domain', '#lib/core-api/read.ts', false],
  ['lib/domain', '#lib/contract/users.ts', true],
  ['lib/database', '#lib/store/store.ts', false],
  ['lib/store', '#lib/session/vault.ts', false],
  ['lib/store/migrations', '#lib/database/append-only.ts', true],
  ['lib/session', '#lib/core-api/read.ts', false],
  ['lib/session', '#lib/http/exchange.ts', true],
  ['lib/core-api', '#lib/commands/draft.ts', false],
  ['lib/core-api', '#lib/store/states-seen.ts', true],
  ['lib/authorization', '#lib/commands/draft.ts', false],
  ['lib/authorization', '#lib/store/store.ts', false],
  ['lib/authorization', '#lib/core-api/scopes.ts', true],
  ['lib/commands', '#lib/authorization/judge.ts', true],
  ['lib/commands', '#lib/http/exchange.ts', false],
  ['lib/commands', '#lib/core-api/read.ts', true],
  ['lib/live', '#lib/store/store.ts', false],
  ['lib/live', '#lib/commands/draft.ts', false],
  ['lib/live', '#lib/core-api/read.ts', true],
  ['components/live', '#lib/live/session-relay.ts', false],
  ['components/live', '#lib/domain/case-stream.ts', true],
  ['lib/commands', '#lib/intake/take.ts', false],
  ['lib/commands', '#lib/thread/whole-thread.ts', true],
  ['lib/thread', '#lib/live/relay.ts', false],
  ['lib/intake', '#lib/commands/draft.ts', true],
  ['lib/intake', '#lib/http/exchange.ts', false],
  ['lib/queue', '#lib/commands/draft.ts', false],
  ['lib/queue', '#lib/core-api/read.ts', true],
  ['lib/queue', '#lib/authorization/judge.ts', true],
  ['components/ui', '#lib/domain/money.ts', false],
  ['components/ui', 'next/navigation', false],
  ['components/domain', '#lib/session/vault.ts', false],
  ['components/domain', '#lib/domain/money.ts', true],
  ['components/command', '#lib/core-api/read.ts', false],
  ['components/domain', '../../app/layout.tsx', false],
  ['app/(console)', '#lib/core-api/read.ts', true],
  ['app/(console)', '../../lib/core-api/read.ts', false],
  ['app/(console)', '#sandbox/sandbox.ts', false],
  ['e2e', '#lib/domain/money.ts', false],
  ['e2e', '../lib/domain/money.ts', false],
  ['scripts', '#sandbox/sandbox.ts', false],
  ['scripts', '#lib/config/parse.ts', true],
]

/** Plants every import as a file of its own in an empty tree under our rules, and lints the tree once. */
function refusedFiles(): ReadonlySet<string> {
  const tree = mkdtempSync(join(tmpdir(), 'boundaries-'))
  try {
    copyFileSync('biome.json', join(tree, 'biome.json'))
    planted.forEach(([folder, specifier], index) => {
      const file = join(tree, folder, `planted-${index}.ts`)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, `import { planted } from '${specifier}'\n\nplanted()\n`)
    })
    const biome = spawnSync(
      process.execPath,
      [
        resolve('node_modules/@biomejs/biome/bin/biome'),
        'lint',
        '--only=style/noRestrictedImports',
        '--vcs-enabled=false',
        '--max-diagnostics=none',
        '--reporter=github',
      ],
      { cwd: tree, encoding: 'utf8' },
    )
    return new Set(
      [...biome.stdout.matchAll(/noRestrictedImports.*?file=(?:.*?)(planted-\d+)\.ts/g)].map((match) => match[1] ?? ''),
    )
  } finally {
    rmSync(tree, { recursive: true })
  }
}

test('the arrows of the map are held by the linter', () => {
  const refused = refusedFiles()
  for (const [index, [folder, specifier, may]] of planted.entries()) {
    expect(refused.has(`planted-${index}`), `${folder} imports ${specifier}`).toBe(!may)
  }
})
