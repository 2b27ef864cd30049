import { useId } from 'react'
import { FieldNote } from '#components/form/text-field.tsx'
import { Field, FieldLabel } from '#components/ui/field.tsx'
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '#components/ui/select.tsx'
import type { CategoryChoice } from '#lib/disputes/categories/category.ts'
import { visibleText } from '#lib/values/text.ts'

interface CategoryFieldProps {
  categories: readonly CategoryChoice[]
  chosen: string | null
  fault: string | null
  onChoose: (id: string) => void
}

export function CategoryField({ categories, chosen, fault, onChoose }: CategoryFieldProps) {
  const id = useId()
  return (
    <Field>
      <FieldLabel htmlFor={id}>Category</FieldLabel>
      <Select value={chosen ?? ''} onValueChange={onChoose}>
        <SelectTrigger id={id} aria-describedby={`${id}-note`} aria-invalid={fault !== null} className="w-full min-w-0">
          <span className="truncate">
            <SelectValue placeholder="Select a category" />
          </span>
        </SelectTrigger>
        <SelectContent>
          {categories.map(({ id: value, name }) => (
            <SelectItem key={value} value={value}>
              {visibleText(name)}
            </SelectItem>
          ))}
        </SelectContent>
      </Select>
      <FieldNote id={`${id}-note`} help="For your team only. Neither side sees it." fault={fault} />
    </Field>
  )
}
