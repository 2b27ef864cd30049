import type { ReactNode } from 'react'
import { Brand } from '#components/frame/brand.tsx'

/** The pages that nobody has to be signed in for. */
export default function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <div className="mx-auto grid min-h-dvh w-full max-w-sm content-start gap-6 px-5 pt-[14vh] pb-10">
      <header>
        <Brand />
      </header>
      <main>{children}</main>
    </div>
  )
}
