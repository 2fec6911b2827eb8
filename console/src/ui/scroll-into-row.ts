/** On narrow screens, the row is wider than the screen. */
export function scrollIntoRow(element: Element | null | undefined): void {
  element?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}
