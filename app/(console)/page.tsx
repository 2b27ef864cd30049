import { redirect } from 'next/navigation'
import { requireSession } from '#lib/session/current.ts'

/** The start: the area that most people work in. */
export default async function StartPage() {
  await requireSession()
  redirect('/deposits')
}
