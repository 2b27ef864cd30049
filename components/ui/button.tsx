'use client'

import type { VariantProps } from 'class-variance-authority'
import type { ComponentProps } from 'react'
import { buttonLook } from './button-look.ts'
import { classes } from './classes.ts'
import { useHydrated } from './use-hydrated.ts'

type ButtonProps = ComponentProps<'button'> & VariantProps<typeof buttonLook>

/**
 * A button. One that does something when it is clicked waits until the page's scripts run: an earlier click would be lost
 * without a word.
 */
export function Button({ look, size, className, type = 'button', disabled, onClick, ...rest }: ButtonProps) {
  const hydrated = useHydrated()
  const waiting = onClick !== undefined && !hydrated
  return (
    <button
      type={type}
      className={classes(buttonLook({ look, size }), className)}
      disabled={waiting || disabled}
      onClick={onClick}
      {...rest}
    />
  )
}
