import { writeFileSync } from 'node:fs'

/**
 * Who may import what. A folder ends in a slash; other entries are files of the project or packages.
 * Tests may import their engines and lib/testing/; `testsToo` holds them to the same rule otherwise.
 * `npm run directions` writes biome.imports.json from this table.
 */
interface Direction {
  readonly folder: string
  readonly except?: readonly string[]
  /** Entries, separated by white space. */
  readonly may: string
  readonly mayNot?: string
  readonly testsToo?: boolean
  readonly message: string
}

const words = (list: string): readonly string[] => list.split(/\s+/).filter(Boolean)

export const IMPORTS_FILE = 'biome.imports.json'

const NODE = 'server-only node:* node:*/**'
const KYSELY = 'kysely kysely/**'
const TEST_ENGINES = ['vitest', 'fast-check']

const BELOW_FEATURES = `${NODE} ${KYSELY}
  zod react p-limit lib/authorization/ lib/contract/ lib/values/ lib/commands/ lib/journal/ lib/service/
  lib/session/ lib/stream/ lib/store/ lib/config/`

function feature(name: string, others = '', more = '', below = BELOW_FEATURES): Direction {
  const features = words(others)
  return {
    folder: `lib/${name}/`,
    may: `${below} ${features.map((other) => `lib/${other}/`).join(' ')} ${more}`,
    message: `lib/${name} may import what is below the features, and ${features.length ? `of features only ${features.join(', ')}` : 'no other feature'}.`,
  }
}

const STREAM = 'lib/contract/ lib/values/ lib/service/ lib/session/ lib/config/'
const PROGRAMS = ['app', 'components', 'lib', 'sandbox']

const DIRECTIONS: readonly Direction[] = [
  { folder: 'lib/contract/', may: 'zod', testsToo: true, message: 'lib/contract is the wire: it may import zod only.' },
  {
    folder: 'lib/values/',
    may: 'lib/contract/ decimal.js decimal.js/**',
    testsToo: true,
    message: 'lib/values is pure and knows no feature: it may import lib/contract and decimal.js only.',
  },
  {
    folder: 'lib/database/',
    may: `${KYSELY} node:* node:*/** @electric-sql/pglite pg`,
    testsToo: true,
    message: 'lib/database serves both programs: it may import Kysely and the two engines only.',
  },
  {
    folder: 'lib/config/',
    may: `${NODE} lib/contract/scopes.ts lib/kind-names.ts lib/values/working-hours.ts zod lru-cache pino`,
    testsToo: true,
    message:
      'lib/config may import zod, pino, lru-cache, the names of kinds and scopes, and how working hours are read.',
  },
  {
    folder: 'lib/http/',
    may: `${NODE} lib/config/per-process.ts`,
    testsToo: true,
    message: 'lib/http moves bytes: it may import nothing of the project but perProcess.',
  },
  {
    folder: 'lib/telemetry/',
    may: `${NODE} lib/config/ lib/contract/ lib/http/ prom-client @opentelemetry/*`,
    message: 'lib/telemetry knows no feature and no store: it may import lib/config, lib/contract and lib/http only.',
  },
  {
    folder: 'lib/store/',
    may: `${NODE} ${KYSELY} lib/database/ lib/config/`,
    message: 'lib/store may import lib/database and lib/config only.',
  },
  {
    folder: 'lib/journal/',
    may: `${NODE} ${KYSELY} lib/config/ lib/contract/ lib/database/ lib/http/ lib/store/ lib/telemetry/ canonicalize`,
    message:
      'lib/journal is the signed log and knows no command: it may import lib/config, lib/contract, lib/database, lib/http, lib/store and lib/telemetry only.',
  },
  {
    folder: 'lib/session/',
    may: `
      ${NODE} ${KYSELY} lib/contract/ lib/values/ lib/store/ lib/journal/ lib/config/ lib/telemetry/ lib/http/ next-auth
      next-auth/** oauth4webapi jose next/headers next/server next/navigation react zod
    `,
    message:
      'lib/session may import lib/contract, lib/values, lib/store, lib/journal, lib/config, lib/telemetry and lib/http only.',
  },
  {
    folder: 'lib/service/',
    may: `${NODE} lib/contract/ lib/values/ lib/session/ lib/config/ lib/telemetry/ lib/http/ zod react`,
    message:
      'lib/service is the one client of the service: it may import lib/contract, lib/values, lib/session, lib/config, lib/telemetry and lib/http only.',
  },
  {
    folder: 'lib/authorization/',
    may: `${NODE} lib/contract/ lib/values/ lib/service/ lib/session/ lib/config/config.ts lib/kind-names.ts`,
    testsToo: true,
    message:
      'lib/authorization says who may do what: it may import lib/service, lib/session, lib/values and lib/contract only.',
  },
  {
    folder: 'lib/commands/',
    may: `
      ${NODE} ${KYSELY} lib/authorization/ lib/contract/ lib/values/ lib/service/ lib/session/ lib/journal/ lib/store/
      lib/database/ lib/config/ lib/telemetry/ lib/kind-names.ts @simplewebauthn/server canonicalize zod next/server
    `,
    message: 'lib/commands is the engine, with policy. It knows no kind: it may import no feature.',
  },
  {
    folder: 'lib/stream/',
    may: `${NODE} ${STREAM} lib/commands/ lib/store/ kysely @microsoft/signalr p-limit ws zod`,
    message: 'lib/stream knows no topic: it may import what is below the features.',
  },
  feature('activity', '', 'lib/kind-names.ts'),
  feature('transactions'),
  feature('users', 'transactions'),
  feature('two-factor', '', '@simplewebauthn/server @simplewebauthn/server/**'),
  feature('cards'),
  feature('terminals'),
  feature('deposits', 'transactions'),
  feature(
    'statements',
    'deposits transactions',
    'csv-parse csv-parse/** fast-xml-parser @zip.js/zip.js ofx-js read-excel-file/universal',
  ),
  feature('disputes', 'transactions cards'),
  feature('evidence', 'activity transactions cards terminals disputes'),
  feature(
    'look-up',
    'transactions deposits cards terminals statements disputes',
    'server-only kysely next/server',
    words(BELOW_FEATURES)
      .filter((entry) => entry.startsWith('lib/') && entry !== 'lib/stream/')
      .join(' '),
  ),
  {
    folder: 'components/ui/',
    may: '#cn #ui/** react react-dom radix-ui class-variance-authority clsx cmdk',
    message: 'components/ui are primitives: no domain word, no fetch, no router.',
  },
  {
    folder: 'components/',
    except: ['components/ui/'],
    may: `
      lib/ @simplewebauthn/browser react react-dom react-dom/server next/link next/navigation radix-ui
      class-variance-authority @tanstack/react-table cmdk
    `,
    mayNot: `
      #lib/{store,database,config,http,authorization,testing}/** #lib/session/{vault,sign-in,sign-out}/** lib/kinds.ts
      !#lib/testing/render-page.ts
    `,
    testsToo: true,
    message:
      'components get their data through props or the client of commands: of lib they may import what runs in a browser only.',
  },
  {
    folder: 'components/form/',
    may: 'components/ui/ lib/values/time.ts lib/values/text.ts react react-dom/server',
    testsToo: true,
    message: 'components/form may import the kit, and of lib/values only time.ts and text.ts.',
  },
  {
    folder: 'app/',
    may: '../** components/ lib/ react react-dom/server next next/** @fontsource-variable/** zod',
    mayNot: outside(4, ['lib', 'components', 'sandbox']),
    testsToo: true,
    message: 'app holds routes: it may import components and lib only.',
  },
  {
    folder: 'sandbox/',
    may: `
      ${KYSELY} lib/contract/ lib/database/ #lib/testing/{code-flow,runs}.ts node:* node:*/** fastify fastify/**
      @fastify/** oidc-provider jose ws lru-cache @microsoft/signalr otpauth qrcode zod pino
    `,
    testsToo: true,
    message:
      'the sandbox may import lib/contract and lib/database only, so that no rule is wrong on both sides at once.',
  },
  {
    folder: 'e2e/',
    may: '../** @playwright/test @axe-core/playwright otpauth pg node:* node:*/**',
    mayNot: outside(2, PROGRAMS),
    testsToo: true,
    message: 'e2e reaches the programs as a person or over HTTP, never by import.',
  },
  {
    folder: 'scripts/',
    except: ['scripts/test-coverage.ts'],
    may: `
      components/look-up/keys-dialog.tsx lib/config/ lib/database/ lib/journal/ lib/store/ lib/commands/kind.ts
      lib/commands/policy/rehearsal-report.ts lib/commands/policy/approvers-of-rules.ts lib/kinds.ts
      lib/contract/problem-of.ts lib/http/ lib/statements/file/ lib/statements/remembered-mapping.ts
      lib/deposits/payer-memory.ts lib/session/sign-in/claim.ts lib/session/sign-in/identity-provider.ts
      lib/session/sign-in/provider-token.ts lib/session/vault/tokens.ts lib/testing/test-console.ts
      lib/testing/token-endpoint.ts ../ports.ts ../vitest.config.ts kysely next
      next/dist/server/app-render/parse-and-validate-flight-router-state.js node:* node:*/** @playwright/test
    `,
    testsToo: true,
    message:
      'scripts start the programs and check the journal: they may import lib/config, lib/database, lib/store, the journal, the rehearsal of policies, the reading of bank files, the payer memory, the requests to the identity provider, the list of keys, Kysely, Next, lib/http, and the form of a refusal.',
  },
]

function outside(depth: number, folders: readonly string[]): string {
  const above = Array.from({ length: depth }, (_, level) => '../'.repeat(level + 1))
  return folders.flatMap((folder) => above.map((up) => `${up}${folder}/**`)).join(' ')
}

function patternOf(entry: string): string {
  const path = entry.endsWith('/') ? `${entry}**` : entry
  return PROGRAMS.some((program) => path.startsWith(`${program}/`)) ? `#${path}` : path
}

function overrideOf({ folder, except = [], may, mayNot = '', testsToo = false, message }: Direction) {
  const inLib = folder.startsWith('lib/')
  const tests = folder.startsWith('components/') ? ['!**/*.test.tsx'] : ['!**/*.test.ts', '!**/*.long.ts']
  const aliased = inLib || folder.startsWith('components/') || folder === 'sandbox/'
  const allowed = [
    ...(aliased ? [folder] : []),
    ...words(may),
    ...(folder === 'e2e/' ? [] : TEST_ENGINES),
    ...(inLib ? ['lib/testing/'] : []),
  ]
  const group = ['**', './**', ...allowed.map(patternOf)].map((pattern, at) => (at ? `!${pattern}` : pattern))
  return {
    includes: [
      `${folder}**`,
      ...except.map((other) => `!${other}${other.endsWith('/') ? '**' : ''}`),
      ...(testsToo ? [] : tests),
    ],
    linter: {
      rules: {
        style: {
          noRestrictedImports: {
            level: 'error',
            options: { patterns: [{ group: [...group, ...words(mayNot).map(patternOf)], message }] },
          },
        },
      },
    },
  }
}

export const importRules = () => ({
  $schema: './node_modules/@biomejs/biome/configuration_schema.json',
  overrides: DIRECTIONS.map(overrideOf),
})

if (process.argv[1] === import.meta.filename) writeFileSync(IMPORTS_FILE, JSON.stringify(importRules(), null, 2))
