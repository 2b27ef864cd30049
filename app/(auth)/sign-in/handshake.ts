/** next-auth takes a POST only with the token that it hands out beside its cookie. */
export async function csrfToken(): Promise<string> {
  const response = await fetch('/api/auth/csrf', { cache: 'no-store' })
  const { csrfToken: token } = (await response.json()) as { csrfToken: string }
  return token
}

/** Where a sign-in lands: a public page that moves on by itself, so that the Strict cookie is sent. */
export const landing = (to: string): string => `/signed-in?${new URLSearchParams({ to })}`
