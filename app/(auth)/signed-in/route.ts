import type { NextRequest } from 'next/server'
import { safeReturnPath } from '#lib/session/sign-in/paths.ts'
import { movingPage } from '../plain-page.ts'

/** After a redirect from another site, the browser withholds the strict cookie. One more navigation sends it. */
export const GET = ({ nextUrl }: NextRequest): Response =>
  movingPage('Signed in', safeReturnPath(nextUrl.searchParams.get('to')), 'Continue to the console')
