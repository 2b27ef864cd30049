import { type Answer, ask, CookieJar, FORM_BODY, HANDLE, ownHeaders } from './http.ts'

/** The token of a sign-in page, which the form of that page carries. */
export async function openForm(consoleUrl: string, jar: CookieJar, path = '/sign-in'): Promise<string> {
  const page = await ask(consoleUrl, { path, headers: jar.headers })
  jar.take(page)
  return /name="csrfToken" value="(\w{64})"/.exec(page.text)?.[1] ?? ''
}

interface Sent {
  readonly email: string
  readonly password: string
  readonly csrfToken: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends that form. */
export async function sendForm(
  consoleUrl: string,
  jar: CookieJar,
  { path = '/sign-in', headers = {}, ...fields }: Sent,
): Promise<Answer> {
  const answer = await ask(consoleUrl, {
    method: 'POST',
    path,
    headers: { ...ownHeaders(consoleUrl), ...jar.headers, ...FORM_BODY, ...headers },
    body: new URLSearchParams(fields).toString(),
  })
  jar.take(answer)
  return answer
}

/** Loads the page and sends its form, in a browser of its own. */
export async function withPassword(
  consoleUrl: string,
  email: string,
  password: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const jar = new CookieJar()
  return await sendForm(consoleUrl, jar, { email, password, csrfToken: await openForm(consoleUrl, jar), headers })
}

export const letIn = (answer: Answer): boolean => answer.setCookies.join().includes(`${HANDLE}=`)
