import { type FormEvent, useEffect, useRef, useState } from 'react'
import { fieldText } from '#components/form/field-text.ts'
import { TextAreaField } from '#components/form/text-area-field.tsx'
import { TextField } from '#components/form/text-field.tsx'
import { holdPage } from '#components/frame/leave-guard.ts'
import { Button } from '#components/ui/button.tsx'
import { type Snippet, snippetFields, snippetNameFault, snippetTextFault } from '#lib/disputes/snippets/snippet.ts'

export interface GivenSnippet {
  readonly id: string
  readonly name: string
  readonly text: string
  readonly changedAt: string
}

interface SnippetFormProps {
  id: string
  /** The version that the operator started from, so that a concurrent edit is refused; empty for a new snippet. */
  changedAt: string
  /** Null for a new one. */
  snippet: Snippet | null
  faults: Readonly<Record<string, string>>
  busy: boolean
  onSave: (given: GivenSnippet) => void
  onLeave: () => void
}

/** Leaving the page with unsaved text asks first. */
export function SnippetForm({ id, changedAt, snippet, faults, busy, onSave, onLeave }: SnippetFormProps) {
  const [own, setOwn] = useState<Readonly<Record<string, string | null>>>({})
  const changed = useRef(false)
  useEffect(() => holdPage({ holds: () => changed.current }), [])
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const [name, text] = [fieldText(event.currentTarget, 'name'), fieldText(event.currentTarget, 'text')]
    const found = { name: snippetNameFault(name), text: snippetTextFault(text) }
    setOwn(found)
    if (found.name === null && found.text === null && !busy) onSave({ id, name, text, changedAt })
  }
  return (
    <form
      onSubmit={submit}
      onInput={() => {
        changed.current = true
      }}
      className="grid gap-3 p-3.5"
    >
      <TextField
        label="Name"
        name="name"
        takesFocus
        initial={snippet?.name ?? ''}
        fault={own.name ?? faults.name ?? null}
      />
      <TextAreaField
        label="Text"
        name="text"
        dir="auto"
        grows
        initial={snippet?.text ?? ''}
        fault={own.text ?? faults.text ?? null}
        help={`Filled in from the case: ${snippetFields.map((field) => `{${field}}`).join(' ')}. Any other {word} stays as it is, to be filled in by hand.`}
      />
      {faults.id === undefined ? null : (
        <p role="alert" className="text-danger text-sm">
          {faults.id}
        </p>
      )}
      <div className="flex gap-2">
        <Button type="submit" aria-disabled={busy}>
          Save the snippet
        </Button>
        <Button variant="ghost" onClick={onLeave}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
