import { z } from 'zod'
import { endpoint, integer, uuid } from './endpoint.ts'

const NAME_MIN_CHARS = 3
const NAME_MAX_CHARS = 128
const USERNAME_MAX_CHARS = 16

const name = z.string().min(NAME_MIN_CHARS).max(NAME_MAX_CHARS)

export const registration = z.strictObject({
  firstName: name,
  lastName: name,
  email: z.email(),
  phoneNumber: z.string(),
  username: z.string().min(1).max(USERNAME_MAX_CHARS),
  password: z.string(),
})

/** The interface specifies nothing more. */
const registeredUser = z.object({ id: uuid })

export const credentials = z.strictObject({ email: z.string(), password: z.string() })

export const tokenPair = z.object({
  accessToken: z.string().min(1),
  refreshToken: z.string().min(1),
  /** Seconds. */
  expiresIn: integer,
})

/** For display, not a security boundary. */
export const scopesResult = z.object({ roles: z.array(z.string()), scopes: z.array(z.string()) })

export const users = {
  register: endpoint({
    method: 'POST',
    path: '/api/v1/Users/register',
    open: true,
    scope: null,
    body: registration,
    data: registeredUser,
  }),
  login: endpoint({
    method: 'POST',
    path: '/api/v1/Users/login',
    open: true,
    scope: null,
    body: credentials,
    data: tokenPair,
  }),
  refreshToken: endpoint({
    method: 'POST',
    path: '/api/v1/Users/refresh-token',
    open: true,
    scope: null,
    body: z.strictObject({ refreshToken: z.string() }),
    data: tokenPair,
  }),
  scopes: endpoint({ method: 'GET', path: '/api/v1/Users/{id}/scopes', scope: null, data: scopesResult }),
} as const
