import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { IMPORTS_FILE, importRules } from './import-directions.ts'

/** A file of some folder, what it imports, and whether the map's arrows allow it. */
const planted: readonly (readonly [folder: string, specifier: string, may: boolean])[] = [
  ['sandbox', '#lib/values/money.ts', false],
  ['sandbox', '#lib/store/store.ts', false],
  ['sandbox', '../lib/values/money.ts', false],
  ['sandbox', '#lib/contract/users.ts', true],
  ['sandbox/ledger', '#sandbox/world/clock.ts', true],
  ['lib/contract', '#lib/values/money.ts', false],
  ['lib/contract', 'node:fs', false],
  ['lib/contract', 'zod', true],
  ['lib/values', '#lib/service/client.ts', false],
  ['lib/values', '#lib/deposits/deposit.ts', false],
  ['lib/values', '#lib/contract/users.ts', true],
  ['lib/database', '#lib/store/store.ts', false],
  ['lib/store', '#lib/session/vault/vault.ts', false],
  ['lib/store', '#lib/journal/sequencer.ts', false],
  ['lib/store/migrations.ts', '#lib/database/open.ts', true],
  ['lib/session', '#lib/service/client.ts', false],
  ['lib/session', '#lib/http/exchange.ts', true],
  ['lib/service', '#lib/commands/prepare.ts', false],
  ['lib/service', '#lib/transactions/transaction-service.ts', false],
  ['lib/service', '#lib/session/vault/access-token.ts', true],
  ['lib/authorization', '#lib/commands/prepare.ts', false],
  ['lib/authorization', '#lib/store/store.ts', false],
  ['lib/authorization', '#lib/service/scopes.ts', true],
  ['lib/commands', '#lib/authorization/judge.ts', true],
  ['lib/commands', '#lib/http/exchange.ts', false],
  ['lib/commands', '#lib/service/client.ts', true],
  ['lib/commands', '#lib/kinds.ts', false],
  ['lib/commands', '#lib/deposits/deposit.ts', false],
  ['lib/commands', '#lib/statements/import.ts', false],
  ['lib/commands', '#lib/stream/feeds.ts', false],
  ['lib/stream', '#lib/store/store.ts', true],
  ['lib/stream', '#lib/service/client.ts', true],
  ['lib/stream', '#lib/topics.ts', false],
  ['lib/stream', '#lib/disputes/live/case-stream.ts', false],
  ['lib/commands/policy', '#lib/commands/prepare.ts', true],
  ['lib/journal', '#lib/deposits/deposit.ts', false],
  ['lib/deposits', '#lib/commands/kind.ts', true],
  ['lib/deposits', '#lib/transactions/transaction.ts', true],
  ['lib/deposits', '#lib/disputes/resolution.ts', false],
  ['lib/deposits', '#lib/statements/import.ts', false],
  ['lib/deposits', '#lib/kinds.ts', false],
  ['lib/statements', '#lib/deposits/amounts.ts', true],
  ['lib/statements', '#lib/disputes/resolution.ts', false],
  ['lib/statements', '#lib/http/exchange.ts', false],
  ['lib/statements/file', 'csv-parse', true],
  ['lib/deposits', 'csv-parse', false],
  ['lib/transactions', '#lib/deposits/deposit.ts', false],
  ['lib/transactions', '#lib/disputes/resolution.ts', false],
  ['lib/disputes/queue', '#lib/commands/prepare.ts', true],
  ['lib/disputes/queue', '#lib/transactions/transaction-service.ts', true],
  ['lib/disputes/live', '#lib/stream/hub-connection.ts', true],
  ['lib/disputes/workspace', '#lib/deposits/deposit.ts', false],
  ['lib/cards', '#lib/terminals/terminal.ts', false],
  ['lib/activity', '#lib/commands/store.ts', true],
  ['lib/evidence', '#lib/activity/history.ts', true],
  ['lib/evidence', '#lib/statements/statement-list.ts', false],
  ['lib/activity', '#lib/evidence/evidence-page.ts', false],
  ['lib/look-up', '#lib/statements/statement-list.ts', true],
  ['lib/look-up', '#lib/users/user-service.ts', false],
  ['lib/cards', '#lib/look-up/thing.ts', false],
  ['components/ui', '#lib/values/money.ts', false],
  ['components/ui', 'next/navigation', false],
  ['components/ui', '#ui/button', true],
  ['components/ui', '#cn', true],
  ['components/form', '#components/ui/field.tsx', true],
  ['components/form', '#components/values/money.tsx', false],
  ['components/form', '#lib/values/money.ts', false],
  ['components/form', '#lib/values/text.ts', true],
  ['components/form', '#lib/values/time.ts', true],
  ['components/disputes', '#lib/disputes/live/case-stream.ts', true],
  ['components/values', '#lib/session/vault/vault.ts', false],
  ['components/values', '#lib/store/store.ts', false],
  ['components/values', '#lib/kinds.ts', false],
  ['components/values', '#lib/values/money.ts', true],
  ['components/values', '../../app/layout.tsx', false],
  ['app/(console)', '#lib/service/client.ts', true],
  ['app/(console)', '../../lib/service/client.ts', false],
  ['app/(console)', '#sandbox/sandbox.ts', false],
  ['e2e', '#lib/values/money.ts', false],
  ['e2e', '../lib/values/money.ts', false],
  ['scripts', '#sandbox/sandbox.ts', false],
  ['scripts', '#lib/journal/verify.ts', true],
  ['scripts', '#lib/commands/prepare.ts', false],
  ['scripts', '#lib/session/sign-in/identity-provider.ts', true],
  ['scripts', '#lib/session/vault/vault.ts', false],
  ['scripts', '#lib/config/config.ts', true],
]

/** Plants every import as a file of its own in an empty tree under our rules, and lints the tree once. */
function refusedFiles(): ReadonlySet<string> {
  const tree = mkdtempSync(join(tmpdir(), 'boundaries-'))
  try {
    for (const file of ['biome.json', IMPORTS_FILE]) copyFileSync(file, join(tree, file))
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

test('the rules of the linter are those of the table', () => {
  expect(JSON.parse(readFileSync(IMPORTS_FILE, 'utf8')), 'run: npm run directions').toEqual(importRules())
})
