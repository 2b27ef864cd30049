'use client'

import { useRouter } from 'next/navigation'
import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { CommandDialogs } from '#components/command/command-dialogs.tsx'
import { CommandOutcome } from '#components/command/command-outcome.tsx'
import { blockingReason } from '#components/command/command-state.ts'
import { useCommand } from '#components/command/use-command.ts'
import { fieldText, TextAreaField, TextField } from '#components/form/text-field.tsx'
import { guardUnload } from '#components/frame/leave-guard.ts'
import { Panel } from '#components/frame/panel.tsx'
import { Button } from '#components/ui/button.tsx'
import { FormError } from '#components/ui/field.tsx'
import { MissingScope } from '#components/values/explained.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import { type Snippet, snippetFields, snippetNameFault, snippetTextFault } from '#lib/disputes/snippets/snippet.ts'
import { visibleText } from '#lib/values/visible-text.ts'

type Doing =
  | { readonly what: 'form'; readonly id: string; readonly changedAt: string }
  | { readonly what: 'removing'; readonly snippet: Snippet }
  | { readonly what: 'restoring' }
  | null

export function SharedSnippets({ snippets, mayChange }: { snippets: readonly Snippet[]; mayChange: boolean }) {
  const router = useRouter()
  const command = useCommand(null, () => router.refresh())
  const [doing, setDoing] = useState<Doing>(null)
  const add = useRef<HTMLButtonElement>(null)
  const { state } = command
  const done = state.step === 'outcome' && state.command.outcome.class === 'done' ? state.command : null
  const busy = state.step === 'checking' || blockingReason(command) !== null
  const removed = doing?.what === 'removing' && done !== null ? doing.snippet : null
  const leave = useEffectEvent(() => {
    if (doing === null) return
    if (doing.what === 'form') setDoing(null)
    add.current?.focus()
  })
  useEffect(() => {
    if (done !== null) leave()
  }, [done])
  const begin = (next: Doing) => {
    command.clear()
    setDoing(next)
  }
  const save = (given: GivenSnippet) => command.prepare('snippet.save', given)
  const remove = (snippet: Snippet) => {
    begin({ what: 'removing', snippet })
    command.prepare('snippet.remove', { id: snippet.id, changedAt: snippet.changedAt })
  }
  const restore = (id: string) => {
    begin({ what: 'restoring' })
    command.prepare('snippet.restore', { id })
  }
  const form = (snippet: Snippet | null) =>
    doing?.what === 'form' && doing.id === (snippet?.id ?? doing.id) ? (
      <SnippetForm
        key={doing.id}
        id={doing.id}
        changedAt={doing.changedAt}
        snippet={snippet}
        faults={command.faults}
        busy={busy}
        onSave={save}
        onLeave={() => begin(null)}
      />
    ) : null
  const isNew = doing?.what === 'form' && !snippets.some(({ id }) => id === doing.id)
  return (
    <div className="grid max-w-3xl gap-4">
      <div className="flex flex-wrap items-center gap-3">
        {mayChange ? (
          <Button
            ref={add}
            disabled={busy}
            onClick={() => begin({ what: 'form', id: crypto.randomUUID(), changedAt: '' })}
          >
            Add a snippet
          </Button>
        ) : (
          <MissingScope scope="core:disputes:resolve">Add a snippet</MissingScope>
        )}
        <p role="status" className="flex flex-wrap items-center gap-2 text-sm">
          {done === null ? null : `${done.title}: done.`}
          {removed === null ? null : (
            <Button variant="outline" aria-disabled={busy} onClick={() => busy || restore(removed.id)}>
              Undo
            </Button>
          )}
        </p>
      </div>
      {doing?.what !== 'form' && command.faults !== undefined ? <Faults faults={command.faults} /> : null}
      {done === null ? <CommandOutcome command={command} /> : null}
      {isNew ? <Panel title="New snippet">{form(null)}</Panel> : null}
      <Panel title={snippets.length === 0 ? 'Snippets' : `Snippets · ${snippets.length}`}>
        {snippets.length === 0 ? (
          <p className="px-3.5 py-3 text-secondary-foreground text-sm">
            No snippets yet. Save replies that you use often.
          </p>
        ) : (
          <ul className="divide-y">
            {snippets.map((snippet) => (
              <li key={snippet.id}>
                {form(snippet) ?? (
                  <SnippetRow
                    snippet={snippet}
                    busy={busy}
                    mayChange={mayChange}
                    onEdit={() => begin({ what: 'form', id: snippet.id, changedAt: snippet.changedAt })}
                    onRemove={() => remove(snippet)}
                  />
                )}
              </li>
            ))}
          </ul>
        )}
      </Panel>
      <CommandDialogs command={command} />
    </div>
  )
}

const Faults = ({ faults }: { faults: Readonly<Record<string, string>> }) =>
  Object.values(faults).map((words) => (
    <p key={words} role="alert" className="text-danger text-sm">
      {words}
    </p>
  ))

interface SnippetRowProps {
  snippet: Snippet
  busy: boolean
  mayChange: boolean
  onEdit: () => void
  onRemove: () => void
}

const SnippetRow = ({ snippet: { name, text, changedBy, changedAt }, busy, mayChange, ...on }: SnippetRowProps) => (
  <article aria-label={visibleText(name)} className="grid gap-1 px-3.5 py-3">
    <div className="flex flex-wrap items-center gap-2">
      <h3 className="min-w-0 flex-1 break-words font-semibold text-sm">{visibleText(name)}</h3>
      {mayChange ? (
        <>
          <Button variant="outline" size="sm" aria-disabled={busy} onClick={() => busy || on.onEdit()}>
            Edit
          </Button>
          <Button variant="ghost" size="sm" aria-disabled={busy} onClick={() => busy || on.onRemove()}>
            Remove
          </Button>
        </>
      ) : null}
    </div>
    <p
      dir="auto"
      className="line-clamp-4 whitespace-pre-wrap text-secondary-foreground text-sm [overflow-wrap:anywhere]"
    >
      {visibleText(text)}
    </p>
    <p className="text-muted-foreground text-xs">
      changed by {visibleText(changedBy)} <Timestamp value={changedAt} as="past" />
    </p>
  </article>
)

interface GivenSnippet {
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
function SnippetForm({ id, changedAt, snippet, faults, busy, onSave, onLeave }: SnippetFormProps) {
  const [own, setOwn] = useState<Readonly<Record<string, string | null>>>({})
  const changed = useRef(false)
  useEffect(() => guardUnload({ holds: () => changed.current }), [])
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
        help={`Filled in from the case: ${snippetFields.map((field) => `{${field}}`).join(' ')}. Fill in any other {word} by hand.`}
      />
      <FormError fault={faults.id} />
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
