import { type ServiceNameOf, serviceWord } from '#lib/values/service-words.ts'
import { visibleText } from '#lib/values/visible-text.ts'

/** A name of the service in the console's word, with the name itself on hover; one that is not known as it came. */
export function ServiceName({ of, name }: { of: ServiceNameOf; name: string }) {
  const word = serviceWord(of, name)
  return word === null ? <span className="mono">{visibleText(name)}</span> : <span title={name}>{word}</span>
}
