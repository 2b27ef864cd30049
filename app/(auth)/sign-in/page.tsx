import { CircleAlert } from 'lucide-react'
import { redirect } from 'next/navigation'
import { PageTitle } from '#components/frame/page-title.tsx'
import { Alert, AlertDescription } from '#components/ui/alert.tsx'
import { config } from '#lib/config/config.ts'
import { currentSession } from '#lib/session/current.ts'
import { safeReturnPath } from '#lib/session/sign-in/paths.ts'
import { PasswordForm } from './password-form.tsx'
import { SsoButton } from './sso-button.tsx'
import { whyWords } from './why-words.ts'

type Search = Promise<Record<string, string | string[] | undefined>>

const one = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value)

export default async function SignInPage({ searchParams }: { searchParams: Search }) {
  const search = await searchParams
  const to = safeReturnPath(one(search.to))
  if ((await currentSession()) !== null) redirect(to)
  const why = one(search.why)
  const words = whyWords(why, one(search.error), one(search.seconds))
  const { sso, passwordSignIn } = config()
  return (
    <div className="grid gap-5">
      <PageTitle>Sign in</PageTitle>
      <h1>Sign in</h1>
      {words === null ? null : (
        <Alert variant="attention">
          <CircleAlert aria-hidden />
          <AlertDescription>{words}</AlertDescription>
        </Alert>
      )}
      {/* Single sign-on still knows who was refused, and would send the same person again. */}
      <SsoButton name={sso.name} to={to} asSomebodyElse={why === 'not-staff'} />
      {passwordSignIn ? <PasswordForm to={to} /> : null}
    </div>
  )
}
