import 'server-only'
import type { Environment } from './config.ts'

/** Published: for one machine only. */
const SANDBOX_CLIENT_SECRET = 'sandbox-console-secret'

/** All or nothing: a deployment must never use half a sandbox. */
export function withSandboxDefaults(environment: Environment): { environment: Environment; sandbox: boolean } {
  const named = Object.entries(environment).some(([name, value]) => /^(CORE|OIDC)_/.test(name) && value)
  const port = environment.PORT || '3000'
  const own = { PORT: port, NEXTAUTH_URL: environment.NEXTAUTH_URL || `http://localhost:${port}` }
  if (named) return { environment: { ...environment, PORT: port }, sandbox: false }
  const sandboxUrl = `http://localhost:${environment.SANDBOX_PORT || '4010'}`
  return {
    sandbox: true,
    environment: {
      ...environment,
      ...own,
      CORE_API_URL: sandboxUrl,
      CORE_WS_URL: sandboxUrl,
      OIDC_ISSUER: `${environment.SANDBOX_URL || sandboxUrl}/idp`,
      OIDC_CLIENT_ID: 'operator-console',
      OIDC_CLIENT_SECRET: environment.SANDBOX_CONSOLE_SECRET || SANDBOX_CLIENT_SECRET,
      PASSWORD_SIGN_IN: environment.PASSWORD_SIGN_IN || 'on',
      STAFF_CLAIM: environment.STAFF_CLAIM || 'groups=console-operators,console-viewers',
      STAFF_ADMIN_CLAIM: environment.STAFF_ADMIN_CLAIM || 'groups=console-admins',
      STAFF_ADMIN_SCOPES: environment.STAFF_ADMIN_SCOPES || 'core:transactions:confirm,core:disputes:resolve',
      POLICY_FILE: environment.POLICY_FILE || 'sandbox/policy.json',
      CODE_LOCK_AFTER: environment.CODE_LOCK_AFTER || '5',
      CODE_LOCK_SECONDS: environment.CODE_LOCK_SECONDS || '300',
      LOG_REQUESTS: environment.LOG_REQUESTS || 'off',
    },
  }
}
