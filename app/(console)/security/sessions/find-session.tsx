'use client'

import Form from 'next/form'
import { TextField } from '#components/form/text-field.tsx'
import { Button } from '#components/ui/button.tsx'
import { Search } from '#components/ui/icons.tsx'

/** Works without JavaScript. */
export function FindSession({ find }: { find: string }) {
  return (
    <Form action="/security/sessions" className="mb-3 flex max-w-xl flex-wrap items-start gap-x-3">
      <TextField
        key={find}
        className="min-w-48 flex-1"
        label="Find a session"
        name="find"
        isReference
        initial={find}
        help="A part of a name, a user id or an address."
      />
      <Button variant="outline" type="submit" size="field" className="mt-5.5">
        <Search aria-hidden />
        Search
      </Button>
    </Form>
  )
}
