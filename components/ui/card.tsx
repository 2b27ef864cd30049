import type { ComponentProps } from 'react'
import { cn } from './cn.ts'

export function Card({ className, ...rest }: ComponentProps<'section'>) {
  return <section data-slot="card" className={cn('min-w-0 rounded-lg border bg-card', className)} {...rest} />
}

export function CardHeader({ className, ...rest }: ComponentProps<'header'>) {
  return (
    <header
      data-slot="card-header"
      className={cn('flex min-h-11 flex-wrap items-center gap-x-2 gap-y-1 border-b px-3.5 py-2', className)}
      {...rest}
    />
  )
}

export function CardTitle({ className, children, ...rest }: ComponentProps<'h2'>) {
  return (
    <h2 data-slot="card-title" className={cn('min-w-0', className)} {...rest}>
      {children}
    </h2>
  )
}

export function CardAction({ className, ...rest }: ComponentProps<'div'>) {
  return (
    <div
      data-slot="card-action"
      className={cn('ml-auto flex flex-wrap items-center justify-end gap-2', className)}
      {...rest}
    />
  )
}

export function CardFooter({ className, ...rest }: ComponentProps<'footer'>) {
  return (
    <footer
      data-slot="card-footer"
      className={cn('flex flex-wrap items-center gap-3 border-t px-3.5 py-3', className)}
      {...rest}
    />
  )
}
