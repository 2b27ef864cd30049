import type { NextRequest } from 'next/server'
import { safeReturnPath } from '#lib/session/sign-in/paths.ts'
import { movingPage } from '../plain-page.ts'

/**
 * The redirect comes from the identity provider's site, so the browser withholds the `SameSite=Strict` cookie. This page
 * navigates once more, and the browser sends it.
 */
export const GET = ({ nextUrl }: NextRequest): Response =>
  movingPage('Signed in', safeReturnPath(nextUrl.searchParams.get('to')), 'Continue to the console')
