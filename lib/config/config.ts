import 'server-only'
import { z } from 'zod'
import type { Scope } from '#lib/contract/scopes.ts'
import { type CommandKindName, stepUpExtraKinds } from '#lib/kind-names.ts'
import { readWorkingHours } from '#lib/values/working-hours.ts'
import { address, auditSink, isLocal, origin, plainAddress, realTimeAddress } from './address.ts'
import { clientKeyFile } from './client-key.ts'
import { auditKey, logKeys, type SessionKey, sessionKeys, text, witnessKey } from './keys.ts'
import { perProcess } from './per-process.ts'
import { NO_POLICY, policyFile } from './policy.ts'
import { adminScopes, claimName, staffClaim, staffScopes } from './staff.ts'

const onOff = z.enum(['on', 'off'], { error: 'must be on or off' }).transform((value) => value === 'on')

const whole = (from: number, to: number) =>
  text
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= from && value <= to, `must be from ${from} to ${to}`)

export type TelemetryConfig = ReturnType<typeof telemetryOf>

const TOKEN_LEAST = 32

const tokenWithoutSpaces = text.regex(/^[\x21-\x7e]*$/, 'must have no spaces')

const bearerToken = tokenWithoutSpaces.min(TOKEN_LEAST, `must have at least ${TOKEN_LEAST} characters`)

const telemetryVariables = {
  LOG_REQUESTS: onOff.default(true),
  METRICS_PORT: whole(1, 65_535).optional(),
  METRICS_HOST: text.default('127.0.0.1'),
  METRICS_TOKEN: bearerToken.optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: plainAddress.transform((value) => `${value}/v1/traces`).optional(),
}

const telemetryOf = (values: Pick<Variables, keyof typeof telemetryVariables>) =>
  ({
    logRequests: values.LOG_REQUESTS,
    metrics: { port: values.METRICS_PORT ?? null, host: values.METRICS_HOST, token: values.METRICS_TOKEN ?? null },
    /** OTLP over HTTP. */
    tracesUrl: values.OTEL_EXPORTER_OTLP_ENDPOINT ?? null,
  }) as const

const logOrigin = text.regex(/^[^\s+]+$/, 'must have neither spaces nor +')

export type Config = ReturnType<typeof configOf>

export interface ConfigFault {
  readonly variable: string
  readonly why: string
}

export type ParsedConfig =
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly faults: readonly ConfigFault[] }

export type Environment = Readonly<Record<string, string | undefined>>

/** RFC 7518 and RFC 9864. `EdDSA` is the older name of `Ed25519`. */
export const idTokenAlgs = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
] as const

const SECRET_MIN_CHARS = 32
/** Published secrets, acceptable on a developer's machine only. */
const EXAMPLE_SECRETS = new Set(['sandbox-console-secret', 'secret', 'change-me', 'changeme'])

const wordList = z
  .string()
  .transform((value) => value.split(/\s+/).filter((word) => word !== ''))
  .default([])

const database = text
  .refine((value) => /^(file:.|memory:$|postgres(ql)?:\/\/)/.test(value), {
    error: 'must start with file: or postgres://',
    abort: true,
  })
  .refine((value) => !value.startsWith('postgres') || isServerAddress(value), {
    error: 'is not an address: in its password, write # as %23, / as %2F and ? as %3F',
  })

/** A socket's address may have no host (`postgres://USER@/DATABASE?host=/run/postgresql`). */
function isServerAddress(value: string): boolean {
  const read = URL.parse(value) ?? URL.parse(value.replace('@/', '@socket/'))
  // A password that is not escaped ends as a part of these.
  return read !== null && read.hash === '' && ![read.pathname, ...read.searchParams.keys()].join('').includes('@')
}

const timeZone = text.refine((name) => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== null
  } catch {
    return false
  }
}, 'must be a time zone such as America/Belize')

const workingHours = text.transform((value, context) => {
  const hours = readWorkingHours(value)
  if (hours !== null) return hours
  context.addIssue('must be such as “Mon-Fri 08:00-17:00 except 2026-12-25,2026-12-26”')
  return z.NEVER
})

const commandKindList = z
  .string()
  .transform((value) => value.split(',').map((part) => part.trim()))
  .pipe(z.array(z.enum(stepUpExtraKinds, { error: `must name changes: ${stepUpExtraKinds.join(', ')}` })))

const PRIVATE_KEY_JWT = 'private_key_jwt'

const variables = z.object({
  NODE_ENV: z.string().optional(),
  // next-auth reads it untrimmed.
  NEXTAUTH_URL: z.string({ error: 'is missing' }).regex(/^\S/, 'must not begin with a space').pipe(origin),
  NEXTAUTH_SECRET: text.min(SECRET_MIN_CHARS, `must have at least ${SECRET_MIN_CHARS} characters`),
  PORT: whole(1, 65_535).default(3000),
  SESSION_KEY: sessionKeys,
  AUDIT_KEY: auditKey,
  LOG_KEY: logKeys,
  LOG_ORIGIN: logOrigin.optional(),
  WITNESS_TOKEN: bearerToken.optional(),
  WITNESS_PUBLIC_KEY: witnessKey.optional(),
  AUDIT_SINK: auditSink.optional(),
  // The receiver makes it, so its length is not ours to set.
  AUDIT_SINK_TOKEN: tokenWithoutSpaces.optional(),
  CORE_API_URL: address,
  CORE_WS_URL: realTimeAddress.optional(),
  OIDC_ISSUER: address,
  OIDC_CLIENT_ID: text,
  OIDC_CLIENT_SECRET: text.optional(),
  OIDC_SCOPE: text
    .refine((value) => value.split(/\s+/).includes('openid'), 'must have the scope openid')
    .default('openid profile email offline_access'),
  OIDC_OFFLINE_ACCESS: onOff.default(true),
  OIDC_RESOURCE: text.optional(),
  OIDC_AUDIENCE: text.optional(),
  OIDC_USER_ID_CLAIM: claimName.default('sub'),
  OIDC_NAME: text.default('single sign-on'),
  OIDC_CLIENT_AUTH: z
    .enum(['client_secret_basic', 'client_secret_post', PRIVATE_KEY_JWT, 'basic', 'post'], {
      error: `must be client_secret_basic, client_secret_post or ${PRIVATE_KEY_JWT}`,
    })
    .transform((method) => (method === PRIVATE_KEY_JWT ? method : method.replace('client_secret_', '')))
    .pipe(z.enum(['basic', 'post', PRIVATE_KEY_JWT]))
    .optional(),
  OIDC_CLIENT_KEY_FILE: clientKeyFile.optional(),
  OIDC_CLIENT_ASSERTION_AUD: z.enum(['issuer', 'endpoint'], { error: 'must be issuer or endpoint' }).default('issuer'),
  OIDC_ID_TOKEN_ALG: z.enum(idTokenAlgs, { error: `must be one of ${idTokenAlgs.join(', ')}` }).optional(),
  OIDC_USERINFO_MINUTES: whole(1, 60).optional(),
  OIDC_LOGOUT_HINT: onOff.default(false),
  OIDC_ACR_VALUES: wordList,
  OIDC_AMR_VALUES: wordList,
  PASSWORD_SIGN_IN: onOff.default(false),
  BEHIND_PROXY: onOff.default(false),
  CONNECTIONS_MAX: whole(10, 100_000).default(3_000),
  // Load balancers (mostly 60 s) must close an idle connection first, so that no request meets a closing one.
  KEEP_ALIVE_SECONDS: whole(1, 3_600).default(75),
  STAFF_CLAIM: staffClaim.optional(),
  STAFF_SCOPES: staffScopes,
  STAFF_ADMIN_CLAIM: staffClaim.optional(),
  STAFF_ADMIN_SCOPES: adminScopes,
  DATABASE_URL: database.default('file:./data/console'),
  ALLOW_EMBEDDED: onOff.default(false),
  SESSION_IDLE_MINUTES: whole(1, 15).default(15),
  SESSION_MAX_HOURS: whole(1, 12).default(12),
  REQUIRE_ENROLMENT: onOff.default(true),
  STEP_UP_EXTRA: commandKindList.default([]),
  POLICY_FILE: policyFile.default(NO_POLICY),
  APPROVAL_REMINDER_MINUTES: whole(1, 4_320).default(60),
  ASSIGNED_CASES: z.enum(['open', 'closed'], { error: 'must be open or closed' }).default('open'),
  CODE_LOCK_AFTER: whole(1, 100).optional(),
  CODE_LOCK_SECONDS: whole(1, 604_800).optional(),
  DISPUTE_TARGET_HOURS: whole(1, 8_760).default(72),
  DISPUTE_TARGET_CALENDAR: workingHours.optional(),
  BUSINESS_ZONE: timeZone.default('UTC'),
  PAYER_MEMORY: onOff.default(true),
  TEXT_KEPT_DAYS: whole(30, 36_500).optional(),
  AUDIT_KEPT_DAYS: whole(90, 36_500).default(400),
  COMPRESS: onOff.default(true),
  NEXT_DEPLOYMENT_ID: z.string().default(''),
  DRAIN_SECONDS: whole(0, 60).default(0),
  ...telemetryVariables,
})

type Variables = z.output<typeof variables>

export function parseConfig(environment: Environment): ParsedConfig {
  // Compose files and shells leave a variable out by making it empty.
  const values = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = variables.safeParse(values)
  if (!parsed.success) {
    return {
      ok: false,
      faults: [
        ...parsed.error.issues.map((issue) => ({ variable: String(issue.path[0]), why: issue.message })),
        ...credentialFaults(values),
      ],
    }
  }
  const faults = faultsBetween(parsed.data)
  return faults.length > 0 ? { ok: false, faults } : { ok: true, config: configOf(parsed.data) }
}

function credentialFaults(values: Readonly<Record<string, unknown>>): readonly ConfigFault[] {
  const [secret, file] = ['OIDC_CLIENT_SECRET', 'OIDC_CLIENT_KEY_FILE'] as const
  const hasKey = values[file] !== undefined
  if (values.OIDC_CLIENT_AUTH === PRIVATE_KEY_JWT) return hasKey ? [] : [{ variable: file, why: 'is missing' }]
  return [
    ...(values[secret] === undefined ? [{ variable: secret, why: 'is missing' }] : []),
    ...(hasKey ? [{ variable: file, why: `needs OIDC_CLIENT_AUTH=${PRIVATE_KEY_JWT}` }] : []),
  ]
}

function faultsBetween(values: Variables): readonly ConfigFault[] {
  const faults: ConfigFault[] = [...credentialFaults(values)]
  if (values.PASSWORD_SIGN_IN && values.OIDC_ACR_VALUES.length + values.OIDC_AMR_VALUES.length > 0) {
    faults.push({
      variable: 'PASSWORD_SIGN_IN',
      why: 'must be off when OIDC_ACR_VALUES or OIDC_AMR_VALUES is set: a password proves neither',
    })
  }
  if ((values.WITNESS_TOKEN === undefined) !== (values.WITNESS_PUBLIC_KEY === undefined))
    faults.push({ variable: 'WITNESS_TOKEN', why: 'and WITNESS_PUBLIC_KEY must be set together' })
  if (values.AUDIT_SINK_TOKEN !== undefined && values.AUDIT_SINK?.kind !== 'http')
    faults.push({ variable: 'AUDIT_SINK_TOKEN', why: 'needs AUDIT_SINK with an https address' })
  if (values.METRICS_PORT === values.PORT) faults.push({ variable: 'METRICS_PORT', why: 'must differ from PORT' })
  const { METRICS_PORT: port, METRICS_HOST: host, METRICS_TOKEN: token } = values
  if (port !== undefined && token === undefined && !/^(localhost|127(\.\d+){3}|::1)$/.test(host))
    faults.push({ variable: 'METRICS_TOKEN', why: 'must be set when METRICS_HOST is not this machine' })
  if (isLocal(values.NEXTAUTH_URL)) return faults
  for (const variable of ['NEXTAUTH_SECRET', 'OIDC_CLIENT_SECRET'] as const) {
    if (EXAMPLE_SECRETS.has(values[variable] ?? '')) faults.push({ variable, why: 'is an example; generate a new one' })
  }
  if (!values.ALLOW_EMBEDDED && !values.DATABASE_URL.startsWith('postgres')) {
    faults.push({
      variable: 'DATABASE_URL',
      why: 'must be postgres:// unless the console is local; ALLOW_EMBEDDED=on accepts the embedded database, which does not wait for the disk',
    })
  }
  return faults
}

const scopeOf = ({ OIDC_SCOPE: scope, OIDC_OFFLINE_ACCESS: isOffline }: Variables): string =>
  scope
    .split(/\s+/)
    .filter((word) => isOffline || word !== 'offline_access')
    .join(' ')

const ssoOf = (values: Variables) =>
  ({
    issuer: values.OIDC_ISSUER,
    clientId: values.OIDC_CLIENT_ID,
    /** Empty with `private_key_jwt`. */
    clientSecret: values.OIDC_CLIENT_SECRET ?? '',
    clientKey: values.OIDC_CLIENT_KEY_FILE ?? null,
    assertionAudience: values.OIDC_CLIENT_ASSERTION_AUD,
    scope: scopeOf(values),
    /** False: a session without a refresh token ends with its access token. */
    needsRefreshToken: values.OIDC_OFFLINE_ACCESS,
    resource: values.OIDC_RESOURCE ?? null,
    audience: values.OIDC_AUDIENCE ?? null,
    userIdClaim: values.OIDC_USER_ID_CLAIM,
    name: values.OIDC_NAME,
    clientAuth: values.OIDC_CLIENT_AUTH ?? null,
    /** The only one accepted for ID and logout tokens. Null: the asymmetric ones that discovery lists. */
    idTokenAlg: values.OIDC_ID_TOKEN_ALG ?? null,
    userinfoMinutes: values.OIDC_USERINFO_MINUTES ?? null,
    /** For providers that require the ID token at sign-out. */
    logoutHint: values.OIDC_LOGOUT_HINT,
    /** The ID token must name one of these, unless empty. */
    acrValues: values.OIDC_ACR_VALUES as readonly string[],
    /** The ID token's `amr` must contain one of these, unless empty. */
    amrValues: values.OIDC_AMR_VALUES as readonly string[],
  }) as const

const witnessOf = ({ WITNESS_TOKEN: token, WITNESS_PUBLIC_KEY: publicKey }: Variables) =>
  token === undefined || publicKey === undefined ? null : { token, publicKey }

export type AuditSink = NonNullable<ReturnType<typeof auditSinkOf>>

const auditSinkOf = ({ AUDIT_SINK: sink, AUDIT_SINK_TOKEN: token }: Variables) => {
  if (sink === undefined) return null
  return sink.kind === 'file' ? sink : { ...sink, token: token ?? null }
}

const configOf = (values: Variables) =>
  ({
    baseUrl: values.NEXTAUTH_URL,
    port: values.PORT,
    development: values.NODE_ENV === 'development',
    handshakeSecret: values.NEXTAUTH_SECRET,
    /** Newest first: the first encrypts, all decrypt. */
    sessionKeys: values.SESSION_KEY as readonly SessionKey[],
    auditKey: values.AUDIT_KEY,
    /** Newest first: all sign. */
    logKeys: values.LOG_KEY,
    /** Names the signed log in its checkpoints. */
    logOrigin: values.LOG_ORIGIN ?? new URL(values.NEXTAUTH_URL).host,
    /** If not, another `NEXTAUTH_URL` may not rename it. */
    isLogNamed: values.LOG_ORIGIN !== undefined || isLocal(values.NEXTAUTH_URL),
    witness: witnessOf(values),
    auditSink: auditSinkOf(values),
    coreApiUrl: values.CORE_API_URL,
    coreWsUrl: values.CORE_WS_URL ?? values.CORE_API_URL,
    sso: ssoOf(values),
    passwordSignIn: values.PASSWORD_SIGN_IN,
    behindProxy: values.BEHIND_PROXY,
    connectionsMost: values.CONNECTIONS_MAX,
    keepAliveSeconds: values.KEEP_ALIVE_SECONDS,
    staffClaim: values.STAFF_CLAIM ?? null,
    /** Any one is enough, where scopes decide. */
    staffScopes: values.STAFF_SCOPES as readonly Scope[],
    adminClaim: values.STAFF_ADMIN_CLAIM ?? null,
    /** All are required; empty: no administrators. */
    adminScopes: values.STAFF_ADMIN_SCOPES as readonly Scope[],
    databaseUrl: values.DATABASE_URL,
    sessionIdleMinutes: values.SESSION_IDLE_MINUTES,
    sessionMaxHours: values.SESSION_MAX_HOURS,
    /** Gated changes require enrolment, even where the service does not. */
    requireEnrolment: values.REQUIRE_ENROLMENT,
    stepUpExtra: values.STEP_UP_EXTRA as readonly CommandKindName[],
    policy: values.POLICY_FILE,
    approvalReminderMinutes: values.APPROVAL_REMINDER_MINUTES,
    /** `closed`: only the assignee writes, notes and decides in an assigned case. */
    assignedCases: values.ASSIGNED_CASES,
    /** The service does not publish these; null: not known. */
    codeLock: { after: values.CODE_LOCK_AFTER ?? null, seconds: values.CODE_LOCK_SECONDS ?? null },
    disputeTargetHours: values.DISPUTE_TARGET_HOURS,
    /** In `businessZone`; null: all time counts. */
    disputeTargetCalendar: values.DISPUTE_TARGET_CALENDAR ?? null,
    /** IANA name. Days of reports begin and end there. */
    businessZone: values.BUSINESS_ZONE,
    /** Learns which payer accounts pay into which wallets. */
    payerMemory: values.PAYER_MEMORY,
    /** After that, the texts of ended changes and of statement lines are erased; null: never. */
    textKeptDays: values.TEXT_KEPT_DAYS ?? null,
    auditKeptDays: values.AUDIT_KEPT_DAYS,
    deploymentId: values.NEXT_DEPLOYMENT_ID,
    drainSeconds: values.DRAIN_SECONDS,
    telemetry: telemetryOf(values),
  }) as const

/** Throws with the names of invalid variables. */
export const config = (): Config => perProcess('config', parsedConfig)

function parsedConfig(): Config {
  const parsed = parseConfig(process.env)
  if (!parsed.ok) throw new Error(parsed.faults.map(({ variable, why }) => `${variable} ${why}`).join('\n'))
  return parsed.config
}
