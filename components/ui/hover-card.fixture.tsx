'use client'

import { HoverCard as HoverCardPrimitive } from 'radix-ui'
import type * as React from 'react'

import { cn } from '#cn'
import { Label } from '#ui/label'

function HoverCard({ ...props }: React.ComponentProps<typeof HoverCardPrimitive.Root>) {
  return <HoverCardPrimitive.Root data-slot="hover-card" {...props} />
}

function HoverCardTrigger({ ...props }: React.ComponentProps<typeof HoverCardPrimitive.Trigger>) {
  return <HoverCardPrimitive.Trigger data-slot="hover-card-trigger" {...props} />
}

function HoverCardContent({
  className,
  sideOffset = 4,
  ...props
}: React.ComponentProps<typeof HoverCardPrimitive.Content>) {
  return (
    <HoverCardPrimitive.Content
      data-slot="hover-card-content"
      sideOffset={sideOffset}
      className={cn('z-50 w-64 rounded-md border bg-popover p-4 text-popover-foreground dark:shadow-md', className)}
      {...props}
    />
  )
}

function HoverCardLabel({ className, ...props }: React.ComponentProps<typeof Label>) {
  return <Label data-slot="hover-card-label" className={cn('my-2', className)} {...props} />
}

export { HoverCard, HoverCardContent, HoverCardLabel, HoverCardTrigger }
