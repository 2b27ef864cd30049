import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { asJson, askConsole, problemIn } from '#components/service/ask-console.ts'
import { problemWords } from '#lib/service/problem-words.ts'

interface ViewRequests {
  readonly busy: boolean
  readonly fault: string | null
  /** Null when the console refused or did not answer. */
  send(path: string, method: 'POST' | 'PUT' | 'DELETE', body: unknown): Promise<{ readonly id?: unknown } | null>
}

const NOT_KNOWN = 'There was no answer, so it is not known whether this was done. The list of views shows it.'

export function useViewRequests(): ViewRequests {
  const router = useRouter()
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const send: ViewRequests['send'] = async (path, method, body) => {
    setBusy(true)
    setFault(null)
    const answer = await askConsole(path, { method, ...asJson(body) })
    setBusy(false)
    if (answer?.status === 200) {
      router.refresh()
      return answer.body as { readonly id?: unknown }
    }
    if (answer === null) router.refresh()
    setFault(answer === null ? NOT_KNOWN : problemWords(problemIn(answer)).title)
    return null
  }
  return { busy, fault, send }
}
