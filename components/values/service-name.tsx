import { visibleText } from '#lib/values/visible-text.ts'
import { type ServiceNameOf, serviceWord } from '#lib/values/words.ts'

export function ServiceName({ of, name }: { of: ServiceNameOf; name: string }) {
  const word = serviceWord(of, name)
  return word === null ? <span className="mono">{visibleText(name)}</span> : <span title={name}>{word}</span>
}
