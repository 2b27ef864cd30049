/** A sentence, and what to do. */
export const faults = {
  variable: ['is missing or wrong', 'Set it as docs/configuration.md says.'],
  'name-unknown': ['has a name that DNS cannot resolve', 'Correct the name, or add it to DNS.'],
  refused: ['does not listen: the connection is refused', 'Correct the port, start it, or open the firewall.'],
  silent: ['does not answer in ten seconds', 'Check the firewall and the route.'],
  'certificate-expired': ['has a certificate that has expired', 'Renew the certificate there.'],
  'certificate-early': [
    'has a certificate that is not valid yet',
    'Compare the clock of this machine with the certificate.',
  ],
  'certificate-name': [
    'has a certificate for another name',
    'Use the name of the certificate, or have one issued for this name.',
  ],
  'certificate-authority': [
    'has a certificate of an unknown authority',
    'Give the authority’s certificate in NODE_EXTRA_CA_CERTS.',
  ],
  unreachable: ['cannot be reached', 'Try the address from this machine with curl.'],
  clock: ['has a different time than this machine', 'Synchronize both clocks with NTP.'],
  'not-the-service': [
    'does not answer as the service does',
    'CORE_API_URL is the address before /api/v1. Ask its owners, or check the proxy.',
  ],
  'no-hub': ['accepts no WebSocket at /hubs/disputes', 'Correct CORE_WS_URL, or have the proxy pass Upgrade requests.'],
  'not-a-provider': [
    'has no discovery document at /.well-known/openid-configuration',
    'OIDC_ISSUER is the address before /.well-known.',
  ],
  issuer: ['names another issuer in its discovery document', 'Set OIDC_ISSUER to exactly what the document names.'],
  endpoint: ['lacks an endpoint that sign-in needs', 'Use a provider with the authorization code flow.'],
  pkce: ['does not offer PKCE with S256', 'Turn PKCE on for this provider; without it no code is protected.'],
  'pkce-unlisted': [
    'does not say whether it has PKCE',
    'Every sign-in sends S256. Check that the client may use it; Entra ID, for example, lists nothing.',
  ],
  discovery: ['has a discovery document that a sign-in refuses', 'Correct OIDC_ISSUER, or the document.'],
  keys: ['gives no keys for ID tokens', 'Open its jwks_uri from this machine.'],
  algorithms: [
    'signs ID tokens with no accepted algorithm',
    'Have it sign with RS, PS or ES (256, 384, 512), EdDSA or Ed25519; set OIDC_ID_TOKEN_ALG if it does not list it.',
  ],
  'algorithm-unlisted': [
    'does not list the algorithm of OIDC_ID_TOKEN_ALG',
    'Set OIDC_ID_TOKEN_ALG to what the provider signs with, or leave it empty.',
  ],
  client: [
    'does not accept the client’s id with its secret or key',
    'Correct OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_CLIENT_AUTH or the key.',
  ],
  scopes: [
    'does not list all requested scopes',
    'It may accept them all the same. If a sign-in fails with the cause scope or offline-access, correct OIDC_SCOPE or set OIDC_OFFLINE_ACCESS=off.',
  ],
  claim: [
    'does not list a required claim',
    'Have the claim added to the ID token, or correct STAFF_CLAIM and OIDC_USER_ID_CLAIM.',
  ],
  pasted: ['cannot be read', 'Give JSON of at most 1 MB, or a whole ID token, in a file or as standard input.'],
  'pasted-id': ['names no text of the pasted payload', 'Correct it, or have the claim added to the ID token.'],
  'pasted-claim': ['does not admit the pasted payload', 'Correct it, or the person’s roles or groups at the provider.'],
  'back-channel': [
    'does not announce back-channel logout',
    'Sessions then end only by their time limits. Turn it on if the provider offers it.',
  ],
  'store-sign-in': ['refuses the user or the password', 'Correct them in DATABASE_URL.'],
  'store-missing': ['has no such database', 'Create it as docs/operations.md says.'],
  'store-encoding': ['is not in UTF-8', 'Dump it, create it as docs/operations.md says, and restore the dump.'],
  'store-refuses': ['refuses connections of this kind', 'Check pg_hba.conf, and sslmode in DATABASE_URL.'],
  'store-plain': ['is reached without TLS', 'Add sslmode=verify-full to DATABASE_URL.'],
  'store-unreachable': ['cannot be reached', 'Correct DATABASE_URL, start the server, or open the firewall.'],
  'store-read-only': ['accepts no writes', 'Give the address of the primary, not of a standby.'],
  'store-rights': [
    'does not let its user create and alter tables',
    'Make the user owner of the database and of its tables.',
  ],
  'store-pooling': [
    'is pooled by statement',
    'Set pool_mode = transaction in PgBouncer: the console needs transactions.',
  ],
  'store-foreign': [
    'has migrations unknown to this build',
    'Run the build that made it or a later one, or set DATABASE_URL to an empty store.',
  ],
  'audit-key': [
    'did not write the latest events of the log',
    'Set it as in the processes that wrote them. If it is the same, run npm run audit:verify.',
  ],
  'log-key': [
    'did not sign the latest checkpoint of the log',
    'Set it as in the processes that signed it. If it is the same, run npm run audit:verify.',
  ],
  'store-guard': [
    'lets the journal be changed: a trigger that keeps it append-only is missing or off',
    'Find out who removed it, run npm run audit:verify, and enable or restore the trigger.',
  ],
  'sink-refuses': ['does not accept AUDIT_SINK_TOKEN', 'Correct it, or give the token the right to write there.'],
  'sink-path': ['does not take the log at this address', 'Correct the path, or name where it redirects to.'],
  'sink-file': ['names a file that cannot be written', 'Make the folder, or give it to the console’s own user.'],
  folder: ['cannot be used as a data folder', 'Make it a folder of the console’s own user, with mode 0700.'],
  port: ['is used by another program', 'Stop that program, or choose another PORT.'],
  'other-console': [
    'leads to something that is not this console',
    'Set NEXTAUTH_URL to the address that people open, and have the proxy send it here.',
  ],
  'other-name': [
    'leads to a console that has another NEXTAUTH_URL',
    'Have the proxy send this name to the consoles that have this NEXTAUTH_URL, and give all of them the same.',
  ],
} as const

export type Fault = keyof typeof faults

export interface Finding {
  readonly level: 'good' | 'note' | 'wrong'
  readonly fault: Fault | null
  readonly what: string
  readonly todo: string | null
}

/** `detail` must not contain a secret. */
export function found(fault: Fault, name: string, detail?: string, level: 'wrong' | 'note' = 'wrong'): Finding {
  const [words, todo] = faults[fault]
  return { level, fault, what: `${name} ${words}${detail === undefined ? '' : `: ${detail}`}.`, todo }
}

export const good = (what: string): Finding => ({ level: 'good', fault: null, what, todo: null })

export const note = (what: string): Finding => ({ level: 'note', fault: null, what, todo: null })
